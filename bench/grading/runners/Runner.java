import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Scanner;
import javax.tools.ToolProvider;

/** Compiles programs in Java, each beside its file, or runs one in each case. */
public class Runner {
    private static final int MILLISECONDS = 2000;

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("compile")) {
            for (String file : Arrays.copyOfRange(arguments, 1, arguments.length)) {
                ToolProvider.getSystemJavaCompiler().run(null, null, null,
                    "-d", new File(file).getParent(), file);
            }
            return;
        }
        URL[] folder = {new File(arguments[1]).toURI().toURL()};
        PrintStream output = System.out;
        Scanner cases = new Scanner(System.in);
        while (cases.hasNextLine()) {
            String[] words = cases.nextLine().split(" ");
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            System.setOut(new PrintStream(bytes));
            boolean[] isFinished = {false};
            Thread thread = new Thread(null, () -> {
                try (URLClassLoader loader = new URLClassLoader(folder)) {
                    loader.loadClass("TakeStones").getMethod("main", String[].class)
                        .invoke(null, (Object) words);
                    isFinished[0] = true;
                } catch (Throwable ignored) {
                    // The case has no output.
                }
            }, "case", 1 << 28);
            thread.start();
            thread.join(MILLISECONDS);
            if (thread.isAlive()) {
                output.flush();
                Runtime.getRuntime().halt(0);
            }
            System.out.flush();
            output.print((isFinished[0] ? bytes.toString() : "") + "\0");
        }
    }
}
