import java.util.TreeSet;

/** Wrong: it cuts off only when a value is beyond the bound, and prints a sign with zero. */
public class TakeStones {
    static int n, depth, visits, leaves, reached, answer;
    static TreeSet<Integer> left = new TreeSet<>();

    public static void main(String... words) {
        n = Integer.parseInt(words[0]);
        for (int s = 1; s <= n; s++) left.add(s);
        int last = 0, count = Integer.parseInt(words[1]);
        for (int i = 2; i < 2 + count; i++) {
            last = Integer.parseInt(words[i]);
            left.remove(last);
        }
        depth = Integer.parseInt(words[2 + count]);
        double value = count % 2 == 0
            ? max(last, 0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)
            : min(last, 0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        double factor = (visits - 1) / (double) (visits - leaves);
        System.out.printf("Move: %d%nValue: %.1f%nNumber of Nodes Visited: %d%n", answer, value, visits);
        System.out.printf("Number of Nodes Evaluated: %d%nMax Depth Reached: %d%n", leaves, reached);
        System.out.printf("Avg Effective Branching Factor: %.1f%n", factor);
    }

    static TreeSet<Integer> next(int last) {
        TreeSet<Integer> found = new TreeSet<>();
        for (int s : left) {
            if (last == 0 ? s % 2 == 1 && s < n / 2.0 : s % last == 0 || last % s == 0) found.add(s);
        }
        return found;
    }

    static boolean isLeaf(TreeSet<Integer> moves, int level) {
        visits++;
        reached = Math.max(reached, level);
        boolean leaf = moves.isEmpty() || (depth > 0 && level == depth);
        if (leaf) leaves++;
        return leaf;
    }

    static double max(int last, int level, double alpha, double beta) {
        TreeSet<Integer> moves = next(last);
        if (isLeaf(moves, level)) return score(last, moves);
        double v = Double.NEGATIVE_INFINITY;
        for (int move : moves) {
            left.remove(move);
            double w = min(move, level + 1, alpha, beta);
            left.add(move);
            if (w > v) {
                v = w;
                if (level == 0) answer = move;
            }
            if (v > beta) break;
            alpha = Math.max(alpha, v);
        }
        return v;
    }

    static double min(int last, int level, double alpha, double beta) {
        TreeSet<Integer> moves = next(last);
        if (isLeaf(moves, level)) return -score(last, moves);
        double v = Double.POSITIVE_INFINITY;
        for (int move : moves) {
            left.remove(move);
            double w = max(move, level + 1, alpha, beta);
            left.add(move);
            if (w < v) {
                v = w;
                if (level == 0) answer = move;
            }
            if (v < alpha) break;
            beta = Math.min(beta, v);
        }
        return v;
    }

    static double score(int last, TreeSet<Integer> moves) {
        if (moves.isEmpty()) return -1;
        if (left.contains(1)) return 0;
        if (last == 1) return moves.size() % 2 == 1 ? 0.5 : -0.5;
        int prime = last;
        for (int d = 2; d < prime; d++) while (prime % d == 0 && prime > d) prime /= d;
        int count = 0;
        for (int move : moves) if (move % prime == 0) count++;
        double size = prime == last ? 0.7 : 0.6;
        return count % 2 == 1 ? size : -size;
    }
}
