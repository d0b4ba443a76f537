package io.sluice.cli.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.AskCli;
import io.sluice.cli.AskCli.Said;
import io.sluice.cli.common.CommandFailedException;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.runtime.cluster.RecordPosition;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AskedRecordTest {
  private static final Map<String, String> SETTINGS =
      Map.of(
          "bootstrap.servers", "127.0.0.1:1",
          "application.id", "sluice",
          "sluice.topics.input", "posts,sms",
          "sluice.event.user", "author.id",
          "sluice.input.sms.event.user", "$key | lower",
          "sluice.input.sms.event.action", "$headers.kind",
          "sluice.limits", "sms",
          "sluice.limit.sms.quota", "1/60s",
          "sluice.limit.sms.match.action", "send");

  @TempDir private Path folder;

  private record Shown(boolean isEvent, String out) {}

  private static Headers headers(String... namesAndValues) {
    Headers headers = new RecordHeaders();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.add(namesAndValues[i], namesAndValues[i + 1].getBytes(UTF_8));
    }
    return headers;
  }

  private static Shown show(String topic, String value, Headers headers) {
    SluiceConfig config = SluiceConfig.of(SETTINGS);
    RecordPosition position = new RecordPosition(topic, 0, 7);
    StringWriter out = new StringWriter();
    boolean isEvent =
        new AskedRecord(config, position)
            .print(
                new ConsumerRecord<>(
                    topic,
                    0,
                    7,
                    1_700_000_000_000L,
                    TimestampType.CREATE_TIME,
                    3,
                    value.length(),
                    "ADA".getBytes(UTF_8),
                    value.getBytes(UTF_8),
                    headers,
                    Optional.empty()),
                LimitsInForce.of(config.limitsConfig()),
                new PrintWriter(out));
    return new Shown(isEvent, out.toString());
  }

  @Test
  void aDeadLetterIsReadAsItsOriginInTheInputTopic() {
    Shown shown =
        show(
            "dead-letter-actions",
            "{}",
            headers(
                "kind", "send",
                "sluice-error", "action is missing",
                "sluice-error-reason", "missing-field",
                "sluice-error-origin", "sms-3-42"));
    assertThat(shown.isEvent).as(shown.out).isTrue();
    assertThat(shown.out)
        .startsWith("dead letter of sms-3-42, missing-field: action is missing")
        .containsPattern("(?m)^userId +\\$key \\| lower +ada$")
        .containsPattern("(?m)^action +\\$headers.kind +send$")
        .containsPattern("(?m)^sms +yes +userId=ada$");
  }

  @Test
  void aDeadLetterThatIsStillNoEventSaysWhy() {
    Shown shown = show("dead-letter-actions", "{}", headers("sluice-error-origin", "posts-0-1"));
    assertThat(shown.isEvent).isFalse();
    assertThat(shown.out)
        .startsWith("dead letter of posts-0-1")
        .containsPattern("(?m)^userId +author.id +missing: the record is not an event$")
        .contains("not an event: author.id is missing");
  }

  @Test
  void aDeadLetterThatLacksPartsSaysSo() {
    Headers headers =
        headers("sluice-error-origin", "sms-0-1", "sluice-error-left-out", "headers", "kind", "x");
    assertThat(show("dead-letter-actions", "{}", headers).out)
        .contains("it lacks headers, because it was too large: --record sms-0-1 shows the whole");
  }

  /** Its producer may have set the headers of Sluice, which only dead letters have. */
  @Test
  void aRecordOfAnInputTopicIsReadAsItIs() {
    Headers headers = headers("sluice-error-origin", "sms-0-1");
    String value = "{\"author\":{\"id\":4},\"action\":\"post\"}";
    Shown shown = show("posts", value, headers);
    assertThat(shown.isEvent).isTrue();
    assertThat(shown.out)
        .startsWith("field ")
        .containsPattern("(?m)^sms +no +action=send is wanted; the event has post$");
  }

  @Test
  void anEventInTheFutureIsNoEventYet() {
    String later =
        "{\"author\":{\"id\":4},\"action\":\"post\",\"occurredAt\":\"2190-01-01T00:00Z\"}";
    Shown shown = show("posts", later, headers());
    assertThat(shown.isEvent).isFalse();
    assertThat(shown.out).contains("in the future");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "payments-0-1 | it came from payments-0-1, which is no input topic",
        "posts | its sluice-error-origin is no topic-partition-offset: posts",
      })
  void aDeadLetterOfAnotherApplicationIsRefused(String origin, String why) {
    assertThatThrownBy(
            () -> show("dead-letter-actions", "{}", headers("sluice-error-origin", origin)))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageStartingWith("dead-letter-actions-0-7 is not of this application: " + why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--record=posts | such as dead-letter-actions-0-17: posts",
        "--record=posts-0--1 | such as dead-letter-actions-0-17: posts-0--1",
        "--record=other-0-1 | other is neither an input topic nor a topic of dead letters of this "
            + "configuration: posts, sms, dead-letter-actions",
        "--record=posts-0-1 --for=userId=ada | --for does not apply",
        "--record=posts-0-1 --json | --json does not apply",
        "--record=posts-0-1 --last=1h | --last takes no period with --record",
        "--last --for=userId=ada --http=http://127.0.0.1:1 | --last needs a period",
        "--last | Missing required option",
      })
  void wrongOptionsSayWhatIsAccepted(String options, String why) throws IOException {
    Path file = folder.resolve("my.properties");
    Files.write(
        file,
        SETTINGS.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList());
    Said said = ask("--config=" + file, options);
    assertThat(said.code()).as(said.err()).isEqualTo(2);
    assertThat(said.err()).contains(why).hasLineCount(1);
    assertThat(said.out()).isEmpty();
  }

  @Test
  void theConfigurationIsNeeded() {
    Said said = ask("--last", "--record=posts-0-1");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("it needs --config").hasLineCount(1);
  }

  private static Said ask(String first, String others) {
    List<String> args = new ArrayList<>(List.of("ask", first));
    args.addAll(List.of(others.split(" ")));
    return new AskCli(Map.of()).run(args.toArray(String[]::new));
  }
}
