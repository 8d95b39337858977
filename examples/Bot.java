// A bot in Java: it plays the move that leaves the opponent the fewest replies, in Take-Stones.
// java examples/Bot.java [URL] [NAME]                (Java 17 or later, and nothing else)

import static java.util.Comparator.comparingInt;

import java.net.URI;
import java.net.http.*;
import java.util.List;
import java.util.concurrent.*;
import java.util.regex.Pattern;
import java.util.stream.*;

public class Bot implements WebSocket.Listener {
    static final String TOKEN = System.getenv().getOrDefault("ARENA_TOKEN", "");

    static String name;
    static String session = "null"; // session key as JSON, to resume after a lost connection
    static long delay = 100; // milliseconds before the next connection attempt

    final StringBuilder message = new StringBuilder(); // the parts received so far
    final CompletableFuture<Integer> closed = new CompletableFuture<>(); // the close code

    static List<Integer> legalMoves(int stones, List<Integer> moves) {
        int last = moves.isEmpty() ? 0 : moves.get(moves.size() - 1);
        return IntStream.rangeClosed(1, stones).boxed().filter(stone -> last == 0
            ? stone % 2 == 1 && 2 * stone < stones
            : (stone % last == 0 || last % stone == 0) && !moves.contains(stone)).toList();
    }

    static int choose(int stones, List<Integer> moves) {
        return legalMoves(stones, moves).stream().min(comparingInt(move ->
            legalMoves(stones, Stream.concat(moves.stream(), Stream.of(move)).toList()).size()
        )).get();
    }

    // The JSON text of a field: a quoted string, a list of numbers, or a word. This is sufficient
    // without a parser: a quoted name followed by a colon cannot be part of a string, because quotes
    // in strings are escaped, and no name that is searched for occurs twice.
    static String field(String json, String name) {
        var value = "\\s*:\\s*(\"(?:[^\"\\\\]|\\\\.)*+\"|\\[[^]]*]|[^\\s,}]+)";
        var found = Pattern.compile('"' + name + '"' + value).matcher(json);
        return found.find() ? found.group(1) : "null";
    }

    static List<Integer> numbers(String json) {
        return Pattern.compile("\\d+").matcher(json).results()
            .map(number -> Integer.valueOf(number.group())).toList();
    }

    static String quoted(String text) {
        return text.isEmpty() ? "null" : '"' + text.replaceAll("[\"\\\\]", "\\\\$0") + '"';
    }

    static void send(WebSocket socket, String format, Object... fields) {
        socket.sendText(format.formatted(fields), true).join(); // one at a time
    }

    public void onOpen(WebSocket socket) {
        send(socket, """
            {"type": "hello", "protocol": 1, "name": %s, "games": ["take_stones"], "session": %s,
             "token": %s}""", quoted(name), session, quoted(TOKEN));
        socket.request(1);
    }

    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean isLast) {
        message.append(part);
        if (isLast) {
            receive(socket, message.toString());
            message.setLength(0);
        }
        socket.request(1);
        return null;
    }

    void receive(WebSocket socket, String json) {
        switch (field(json, "type")) {
            case "\"welcome\"" -> {
                session = field(json, "session");
                delay = 100;
            }
            case "\"turn\"" -> send(socket, """
                {"type": "move", "match": %s, "ply": %s, "move": %d}""",
                field(json, "match"), field(json, "ply"),
                choose(numbers(field(json, "stones")).get(0), numbers(field(json, "moves"))));
            case "\"error\"" -> System.err.println(
                name + ": " + field(json, "message").replaceAll("^\"|\\\\(?=[\"\\\\])|\"$", ""));
            default -> { } // a message type of a later version
        }
    }

    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        return socket.sendClose(WebSocket.NORMAL_CLOSURE, "")
            .whenComplete((sent, error) -> closed.complete(code));
    }

    public void onError(WebSocket socket, Throwable error) {
        closed.completeExceptionally(error);
    }

    // Returns the close code of the arena, 1008 if it rejected the connection, 1006 after an error.
    static int play(String url) {
        try {
            var bot = new Bot();
            HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(url), bot).join();
            return bot.closed.join();
        } catch (CompletionException failure) {
            System.err.println(name + ": " + failure.getCause());
            return failure.getCause() instanceof WebSocketHandshakeException rejected
                && rejected.getResponse().statusCode() < 500 ? 1008 : 1006;
        }
    }

    static String setting(String[] args, int index, String variable, String fallback) {
        var set = System.getenv().getOrDefault(variable, "");
        return args.length > index ? args[index] : set.isEmpty() ? fallback : set;
    }

    public static void main(String[] args) throws InterruptedException {
        var url = setting(args, 0, "ARENA_URL", "ws://127.0.0.1:8765/play");
        name = setting(args, 1, "ARENA_NAME", "java");
        int code;
        while ((code = play(url)) != 1000) { // normal end
            if (code == 1008) System.exit(1); // rejected: the error has the reason
            Thread.sleep(delay = Math.min(2 * delay, 10_000));
        }
    }
}
