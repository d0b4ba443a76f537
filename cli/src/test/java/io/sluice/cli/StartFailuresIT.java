package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages of {@code run} when it cannot start: the cause in the first line, exit code 1. */
@Tag("slow") // starts ten processes, of which three wait for a broker
class StartFailuresIT {
  @TempDir private static Path folder;
  private static SecuredBroker broker;

  @BeforeAll
  static void start() throws Exception {
    broker = SecuredBroker.start(folder);
  }

  @AfterAll
  static void end() {
    broker.close();
  }

  /** Settings that shorten Kafka's timeouts. */
  private static final String[] IMPATIENT = {
    "admin.default.api.timeout.ms=3000", "admin.request.timeout.ms=3000"
  };

  /** Runs an instance in a process of its own; returns the lines of standard error. */
  private List<String> failure(int port, String... settings) throws Exception {
    return failure("127.0.0.1:" + port, settings);
  }

  private List<String> failure(String bootstrap, String... settings) throws Exception {
    List<String> lines = new ArrayList<>(List.of(settings));
    lines.add("bootstrap.servers=" + bootstrap);
    lines.addAll(List.of("application.id=failing", "sluice.limits=post"));
    lines.add("sluice.limit.post.quota=5/60s");
    Path file = Files.write(Files.createTempFile(folder, "sluice", ".properties"), lines);
    Path errors = Files.createTempFile(folder, "errors", "");
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin/java",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                SluiceMain.class.getName(),
                "run",
                "--config",
                file.toString())
            .redirectError(errors.toFile())
            .start();
    try {
      assertThat(process.waitFor()).as("exit code").isEqualTo(1);
    } finally {
      process.destroyForcibly();
    }
    return Files.readAllLines(errors);
  }

  private static void assertSays(List<String> lines, String... parts) {
    assertThat(lines).singleElement().asString().contains(parts);
  }

  @Test
  void aHostThatIsUnknown() throws Exception {
    assertSays(failure("no.such.host.invalid:9092"), "no.such.host.invalid", "unknown host");
  }

  @Tag("full") // a process that waits for a broker
  @Test
  void nobodyWhoAnswers() throws Exception {
    assertSays(failure("127.0.0.1:1", IMPATIENT), "no broker answers at 127.0.0.1:1");
  }

  @Tag("full") // a process that waits for a broker
  @Test
  void aBrokerThatWantsAPassword() throws Exception {
    assertSays(failure(broker.saslPort, IMPATIENT), "requires a login", "sasl.jaas.config");
  }

  @Test
  void aPasswordThatIsWrong() throws Exception {
    assertSays(
        failure(
            broker.saslPort,
            "security.protocol=SASL_PLAINTEXT",
            "sasl.mechanism=PLAIN",
            "sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required"
                + " username=\"ada\" password=\"wrong\";"),
        "rejects the login",
        "Invalid username or password");
  }

  @Tag("full") // a process that waits for a broker
  @Test
  void aPasswordThatIsNotGiven() throws Exception {
    assertSays(
        failure(broker.saslPort, "security.protocol=SASL_PLAINTEXT", "sasl.mechanism=PLAIN"),
        "a Kafka client cannot be created",
        "JAAS");
  }

  @Tag("full") // a process that waits for a broker
  @Test
  void tlsThatIsNotExpected() throws Exception {
    assertSays(failure(broker.tlsPort), "uses TLS, but security.protocol=PLAINTEXT does not");
  }

  @Tag("full") // a process that waits for a broker
  @Test
  void tlsThatIsNotThere() throws Exception {
    assertSays(
        failure(broker.plainPort, "security.protocol=SSL", IMPATIENT[0], IMPATIENT[1]),
        "does not use TLS");
  }

  @Tag("full") // a process that waits for a broker
  @Test
  void aCertificateThatIsNotTrusted() throws Exception {
    assertSays(failure(broker.tlsPort, "security.protocol=SSL"), "ssl.truststore.location");
  }

  @Test
  void aStateFolderThatCannotBeWrittenTo() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertSays(
        failure(broker.plainPort, "sluice.state.store=rocksdb", "state.dir=" + file.resolve("x")),
        "state.dir=" + file.resolve("x"),
        "cannot be written to");
  }

  @Tag("full") // a process that waits for a broker
  @Test
  void aSettingThatOnlyKafkaCanJudge() throws Exception {
    List<String> lines =
        failure(broker.plainPort, "session.timeout.ms=8000", "heartbeat.interval.ms=9000");
    assertThat(lines).noneMatch(line -> line.startsWith("\tat "));
    assertThat(lines.get(lines.size() - 1)).contains("Kafka Streams cannot start", "Heartbeat");
  }
}
