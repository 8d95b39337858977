package stones;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The stones and the order in which they were taken. */
class Board {
    final int n;
    private final boolean[] gone;
    private final Deque<Integer> order = new ArrayDeque<>();

    Board(int n) {
        this.n = n;
        gone = new boolean[n + 1];
    }

    void take(int stone) {
        gone[stone] = true;
        order.push(stone);
    }

    void putBack() {
        gone[order.pop()] = false;
    }

    boolean maxToMove() {
        return order.size() % 2 == 0;
    }

    List<Integer> moves() {
        List<Integer> found = new ArrayList<>();
        for (int stone = 1; stone <= n; stone++) {
            if (order.isEmpty()) {
                if (stone % 2 == 1 && 2 * stone < n) found.add(stone);
            } else if (!gone[stone] && (stone % order.peek() == 0 || order.peek() % stone == 0)) {
                found.add(stone);
            }
        }
        return found;
    }

    /** The evaluation of a position in which the player to move has these moves. */
    double evaluate(List<Integer> moves) {
        if (moves.isEmpty()) return maxToMove() ? -1.0 : 1.0;
        if (!gone[1]) return 0.0;
        int last = order.peek();
        long count = moves.size();
        double size = 0.5;
        if (last > 1) {
            int prime = largestPrime(last);
            count = moves.stream().filter(move -> move % prime == 0).count();
            size = prime == last ? 0.7 : 0.6;
        }
        boolean positive = (count % 2 == 1) == maxToMove();
        return positive ? size : -size;
    }

    private static int largestPrime(int number) {
        int largest = 1;
        for (int divisor = 2; number > 1; divisor++) {
            while (number % divisor == 0) {
                largest = divisor;
                number /= divisor;
            }
        }
        return largest;
    }
}
