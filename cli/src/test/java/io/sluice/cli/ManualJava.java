package io.sluice.cli;

import io.sluice.cli.ManualPage.Block;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles a page's Java blocks: whole files unchanged, statements inside a generated method. */
final class ManualJava {
  private static final String BEFORE =
      """
      import io.sluice.embedded.*;
      import io.sluice.limiter.*;
      import io.sluice.limiter.async.*;
      import io.sluice.limiter.redis.*;
      import io.sluice.limiter.redis.RedisLimiter.Throttle;
      import io.sluice.limiter.redis.RedisMeter.Request;
      import io.sluice.limiter.registry.*;
      import io.sluice.schemas.*;
      import java.nio.file.Path;
      import java.time.*;
      import java.util.*;
      import java.util.concurrent.*;
      abstract class Statements {
        // What the reader has.
        Properties properties = new Properties();
        RedisMeter meter;
        RedisLimiter limiter;
        RedisSettings settings;
        String eventId;
        long nowMicros;
        abstract void reply();
        void run() throws Exception {
      """;

  private static final String AFTER = "\n}}";

  private ManualJava() {}

  /** Returns the errors of the compiler. */
  static List<String> mistakes(Block block) {
    boolean whole = block.lines().stream().anyMatch(line -> line.matches("public .*class .*"));
    String text = String.join("\n", block.lines());
    String name = whole ? block.file() : "Statements.java";
    return compile(name, whole ? text : BEFORE + text + AFTER);
  }

  private static List<String> compile(String name, String text) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options =
        List.of("-proc:none", "-implicit:none", "-d", System.getProperty("java.io.tmpdir"));
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///" + name), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
          }
        };
    compiler.getTask(null, null, found, options, null, Stream.of(source).toList()).call();
    return found.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(each -> each.getLineNumber() + ": " + each.getMessage(Locale.ROOT))
        .toList();
  }
}
