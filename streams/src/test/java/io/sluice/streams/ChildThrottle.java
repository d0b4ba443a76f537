package io.sluice.streams;

import static org.awaitility.Awaitility.await;

import io.sluice.topology.config.SluiceConfig;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;

/**
 * Application with a throttled stream in its own process, which a test can kill like a machine that
 * fails. A record is {@code ACTION/USER/...}.
 */
final class ChildThrottle implements AutoCloseable {
  private static final String READY = "the stream is ready";

  private final Process process;
  private final Path log;

  private ChildThrottle(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /**
   * Runs the child process until it is killed or Kafka Streams fails. The argument is the file of
   * its settings.
   */
  public static void main(String[] arguments) {
    SluiceConfig config = SluiceConfig.load(Path.of(arguments[0]), Map.of());
    String id = config.applicationId();
    Throttle throttle = Throttle.of(config);
    StreamsBuilder builder = new StreamsBuilder();
    Produced<String, String> texts = Produced.with(Serdes.String(), Serdes.String());
    Throttled<String, String> throttled =
        throttle
            .with(Serdes.String(), Serdes.String())
            .by((key, value) -> action(value.split("/")))
            .apply(
                builder,
                builder.stream(id + "-actions", Consumed.with(Serdes.String(), Serdes.String())));
    throttled.allowed().to(id + "-allowed", texts);
    throttled.rejected().to(id + "-rejected", texts);
    KafkaStreams streams = throttle.streams(builder.build());
    streams.setStateListener(
        (now, before) -> {
          if (now == KafkaStreams.State.RUNNING) System.out.println(READY);
          if (now == KafkaStreams.State.ERROR) Runtime.getRuntime().halt(1);
        });
    streams.start();
  }

  private static Action action(String[] parts) {
    return Action.of(parts[1], parts[0]);
  }

  /** Starts a child process, and returns when its streams run. */
  static ChildThrottle start(Map<String, String> settings, Path folder) throws IOException {
    Path file = folder.resolve("sluice.properties");
    Files.write(
        file,
        settings.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList());
    Path log = Files.createTempFile(folder, "child", ".log");
    Process process =
        new ProcessBuilder(
                List.of(
                    System.getProperty("java.home") + File.separator + "bin/java",
                    "-Xmx512m",
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Dlog4j2.configurationFile=log4j2-tests.properties",
                    "-Dsluice.test.log=" + log,
                    "-cp",
                    System.getProperty("java.class.path"),
                    ChildThrottle.class.getName(),
                    file.toString()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    ChildThrottle child = new ChildThrottle(process, log);
    try {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> child.log().contains(READY) || !process.isAlive());
      if (!process.isAlive()) throw new IllegalStateException("it has ended: " + child.log());
    } catch (RuntimeException e) {
      child.kill();
      throw e;
    }
    return child;
  }

  private String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Kills the process without a shutdown. */
  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
