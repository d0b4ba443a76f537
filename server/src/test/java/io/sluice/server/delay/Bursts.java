package io.sluice.server.delay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Servers;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Bursts of events from many users, with checks of the allowed ones: every event comes once, each
 * user's in order and exactly the given time apart, and none before it is due.
 */
record Bursts(int users, int each, long apartMs, long startMs) {
  int events() {
    return users * each;
  }

  List<byte[]> keys() {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < events(); i++) keys.add(("user" + i % users).getBytes(UTF_8));
    return keys;
  }

  List<byte[]> values() {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < events(); i++) {
      values.add(
          "{\"eventId\":\"%d\",\"userId\":\"user%d\",\"action\":\"sms\",\"occurredAt\":%d}"
              .formatted(i / users, i % users, startMs)
              .getBytes(UTF_8));
    }
    return values;
  }

  /**
   * Checks records of the allowed topic, in the topic's order.
   *
   * @param all with the broker's time as their timestamps
   */
  void check(List<ConsumerRecord<byte[], byte[]>> all) {
    Map<String, Integer> next = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : all) {
      String user = new String(record.key(), UTF_8);
      int number = next.merge(user, 1, Integer::sum) - 1;
      assertThat(new String(record.value(), UTF_8))
          .as("event %d of %s", number, user)
          .startsWith("{\"eventId\":\"" + number + "\",\"userId\":\"" + user + "\"");
      String releaseAt = Servers.header(record, "sluice-release-at-ms");
      if (number == 0) {
        assertThat(releaseAt).isEmpty();
      } else {
        assertThat(releaseAt)
            .as("event %d of %s", number, user)
            .isEqualTo(Long.toString(startMs + number * apartMs));
        assertThat(record.timestamp()).isGreaterThanOrEqualTo(startMs + number * apartMs);
      }
    }
    assertThat(next).hasSize(users);
    assertThat(next.values()).allMatch(count -> count == each);
  }

  /** Describes the delays of events after their due times: median, 99th percentile and maximum. */
  String lateness(List<ConsumerRecord<byte[], byte[]>> all) {
    List<Long> lateMs =
        all.stream()
            .filter(each -> !Servers.header(each, "sluice-release-at-ms").isEmpty())
            .map(
                each ->
                    each.timestamp() - Long.parseLong(Servers.header(each, "sluice-release-at-ms")))
            .sorted()
            .toList();
    return "p50 %d ms, p99 %d ms, worst %d ms"
        .formatted(
            lateMs.get(lateMs.size() / 2),
            lateMs.get(lateMs.size() * 99 / 100),
            lateMs.get(lateMs.size() - 1));
  }
}
