package io.sluice.bench.lab;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.embedded.EmbeddedKafka;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Kafka broker in its own process, so that it shares neither heap nor JIT compiler with Kafka
 * Streams.
 */
final class BrokerProcess implements AutoCloseable {
  private static final int MOST_STOPPING_S = 20;

  /** Broker settings. Records are kept forever, because the events' timestamps are years ago. */
  private static final Map<String, String> SETTINGS =
      Map.of("log.retention.ms", "-1", "log.segment.bytes", "1073741824");

  private final Process process;
  private final String bootstrapServers;

  private BrokerProcess(Process process, String bootstrapServers) {
    this.process = process;
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * Main method of the broker's process. The broker runs until its standard input closes, at the
   * latest when the parent process ends.
   */
  public static void main(String[] args) throws IOException {
    try (EmbeddedKafka kafka = EmbeddedKafka.builder().settings(SETTINGS).start()) {
      System.out.println(kafka.bootstrapServers());
      while (System.in.read() >= 0) {}
    }
    System.exit(0);
  }

  static BrokerProcess start() throws IOException {
    String java =
        System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
    String classPath = System.getProperty("java.class.path");
    Process process =
        new ProcessBuilder(
                java,
                "-Xms1g",
                "-Xmx1g",
                "-XX:+AlwaysPreTouch",
                "-Dsluice.log.root=fatal",
                "-cp",
                classPath,
                BrokerProcess.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line =
        new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
    if (line == null) throw new IOException("the broker did not start");
    return new BrokerProcess(process, line);
  }

  String bootstrapServers() {
    return bootstrapServers;
  }

  long cpuNanos() {
    return process.info().totalCpuDuration().orElseThrow().toNanos();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(MOST_STOPPING_S, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
