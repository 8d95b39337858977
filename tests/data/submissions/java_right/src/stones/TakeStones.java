package stones;

/** A right solution: a package, and a class for each part. */
public class TakeStones {
    public static void main(String[] args) {
        int n = Integer.parseInt(args[0]);
        int taken = Integer.parseInt(args[1]);
        Board board = new Board(n);
        for (int i = 0; i < taken; i++) {
            board.take(Integer.parseInt(args[2 + i]));
        }
        Search search = new Search(board, Integer.parseInt(args[2 + taken]));
        search.run();
        System.out.println("Move: " + search.bestMove);
        System.out.printf("Value: %.1f%n", search.value + 0.0);
        System.out.println("Number of Nodes Visited: " + search.visited);
        System.out.println("Number of Nodes Evaluated: " + search.evaluated);
        System.out.println("Max Depth Reached: " + search.deepest);
        double inner = search.visited - search.evaluated;
        System.out.printf("Avg Effective Branching Factor: %.1f%n", (search.visited - 1) / inner);
    }
}
