package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Test of two input topics with their own output topics, on a real broker, exactly once. */
@Timeout(120)
class InputTopicsIT {
  private final Servers servers = Servers.shared();

  @Test
  void eachInputHasItsOutputsForDelayedEventsAndDeadLettersToo() throws Exception {
    Map<String, String> settings =
        servers.settings(
            "sluice.event.action=",
            "sluice.limits=sms,reply",
            "sluice.limit.sms.quota=1/1s",
            "sluice.limit.sms.exceeded=delay",
            "sluice.limit.reply.quota=1/60s",
            "sluice.limit.reply.exceeded=retry",
            "sluice.limit.reply.retry.attempts=1");
    String application = settings.get("application.id");
    String sms = application + "-sms.requests";
    String replies = application + "-replies";
    settings.put("sluice.topics.input", sms + "," + replies);
    settings.put("sluice.limit.sms.match.topic", sms);
    settings.put("sluice.limit.reply.match.topic", replies);
    for (String role : List.of("allowed", "rejected", "dead-letter")) {
      settings.put("sluice.topics." + role, "{input}-" + role);
    }
    SluiceConfig config = SluiceConfig.of(settings);
    assertThat(config.outputTopics()).hasSize(6);
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      for (String input : List.of(sms, replies)) {
        List<String> values = List.of(event("a"), event("b"), "garbage of " + input);
        servers.publish(
            input,
            Arrays.asList(null, "other".getBytes(UTF_8), null),
            values.stream().map(value -> value.getBytes(UTF_8)).toList());
      }
      List<ConsumerRecord<byte[], byte[]>> out =
          servers.read(config.outputTopics(), read -> read.size() >= 6);

      assertThat(out)
          .extracting(each -> each.topic() + " " + Servers.header(each, "sluice-limit"))
          .containsExactlyInAnyOrder(
              sms + "-allowed sms",
              sms + "-allowed sms",
              sms + "-dead-letter ",
              replies + "-allowed reply",
              replies + "-rejected reply",
              replies + "-dead-letter ");
      assertThat(out).allSatisfy(InputTopicsIT::isUnchanged);
      assertThat(servers.read(List.of(config.topics().delayed()), read -> !read.isEmpty()))
          .extracting(each -> Servers.header(each, "sluice-origin").replaceAll("-\\d+-\\d+$", ""))
          .containsExactly(sms);
    }
  }

  private static void isUnchanged(ConsumerRecord<byte[], byte[]> record) {
    assertThat(record.headers().lastHeader("sluice-origin")).isNull();
    String text = new String(record.value(), UTF_8);
    boolean dead = record.topic().endsWith("-dead-letter");
    String input = record.topic().replaceAll("-dead-letter$", "");
    if (dead) assertThat(text).isEqualTo("garbage of " + input);
    else assertThat(text).isIn(event("a"), event("b"));
  }

  private static String event(String id) {
    return "{\"eventId\":\"" + id + "\",\"userId\":\"ada\",\"occurredAt\":1790000000000}";
  }
}
