package stones;

import java.util.List;

/** Alpha-beta search that counts. */
class Search {
    int bestMove, visited, evaluated, deepest;
    double value;
    private final Board board;
    private final int limit;

    Search(Board board, int limit) {
        this.board = board;
        this.limit = limit == 0 ? Integer.MAX_VALUE : limit;
    }

    void run() {
        value = search(0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    private double search(int depth, double alpha, double beta) {
        visited++;
        deepest = Math.max(deepest, depth);
        List<Integer> moves = board.moves();
        if (moves.isEmpty() || depth == limit) {
            evaluated++;
            return board.evaluate(moves);
        }
        boolean max = board.maxToMove();
        double best = max ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        for (int move : moves) {
            board.take(move);
            double found = search(depth + 1, alpha, beta);
            board.putBack();
            if (max ? found > best : found < best) {
                best = found;
                if (depth == 0) bestMove = move;
            }
            if (max ? best >= beta : best <= alpha) return best;
            if (max) alpha = Math.max(alpha, best);
            else beta = Math.min(beta, best);
        }
        return best;
    }
}
