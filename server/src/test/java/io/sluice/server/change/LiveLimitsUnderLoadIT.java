package io.sluice.server.change;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Sluice;
import io.sluice.testing.Load;
import io.sluice.testing.Servers;
import io.sluice.testing.TestScale;
import io.sluice.topology.config.SluiceConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Test of many changes of limits while three instances meter and two of them are restarted, and of
 * a replay by an application that knows all changes from the start.
 */
@Timeout(300)
@Tag("full") // a hundred changes under load, and a replay
class LiveLimitsUnderLoadIT {
  private static final int CHANGES = TestScale.of(40, 100);
  private static final int EVENTS_PER_CHANGE = 60;
  private static final long AHEAD_MS = 2_000;

  /** Lead time before a revision takes effect by which every instance has certainly read it. */
  private static final long SURELY_READ_MS = 1_200;

  private final Servers servers = Servers.shared();
  private final Map<String, String> settings =
      servers.settings(
          "sluice.topics.partitions=3",
          "commit.interval.ms=100",
          "sluice.limits=stored,remote",
          "sluice.limit.stored.quota=1000/1h",
          "sluice.limit.stored.algorithm=sliding-window-log",
          "sluice.limit.stored.match.action=stored",
          "sluice.limit.remote.quota=1000/1h",
          "sluice.limit.remote.match.action=remote",
          "sluice.limit.remote.backend=redis");

  /** Changes by the instant at which they take effect. */
  private final TreeMap<Long, Integer> changes = new TreeMap<>(Map.of(0L, 0));

  /** Time ranges, by their start, in which an instance may not have known a late change. */
  private final TreeMap<Long, Long> late = new TreeMap<>();

  private final List<Sluice> running = new ArrayList<>();

  @Test
  void everyVerdictIsByTheRevisionInForceAndAReplayGivesTheSame() throws Exception {
    for (int i = 0; i < 3; i++) start();
    Load load = new Load(servers.kafka.bootstrapServers(), settings.get("sluice.topics.input"));
    for (int change = 1; change <= CHANGES; change++) {
      publishChange(change);
      if (change % 33 == 0) restart(change / 33 % 2);
      publishEvents(load);
    }
    while (System.currentTimeMillis() <= changes.lastKey()) publishEvents(load);
    int count = load.published().size();

    Map<String, Map<String, String>> verdicts = verdicts(settings, count);
    for (Sluice each : running) each.close();
    load.close();
    assertThat(verdicts).hasSize(count);
    int[] judgedBy = new int[CHANGES + 1];
    verdicts.values().forEach(each -> judgedBy[check(each)]++);
    assertThat(judgedBy[CHANGES]).isPositive();
    assertThat(late.size()).as("changes that were late").isLessThan(CHANGES / 4);

    Map<String, String> replay = new HashMap<>(settings);
    replay.put("application.id", settings.get("application.id") + "-again");
    replay.put("sluice.redis.key.prefix", "again");
    replay.put("sluice.topics.limits", limitsTopic());
    for (String topic : List.of("allowed", "rejected", "delayed", "dead-letter")) {
      replay.merge("sluice.topics." + topic, "-again", String::concat);
    }
    try (Sluice again = Sluice.start(SluiceConfig.of(replay))) {
      assertThat(again.awaitRunning()).isTrue();
      Map<String, Map<String, String>> same = verdicts(replay, count);
      verdicts.forEach(
          (id, verdict) -> {
            if (!isUncertain(timeOf(verdict))) assertThat(same.get(id)).isEqualTo(verdict);
          });
    }
  }

  private void start() throws InterruptedException {
    Map<String, String> own = new HashMap<>(settings);
    own.put("state.dir", Servers.folder().toString());
    Sluice sluice = Sluice.start(SluiceConfig.of(own));
    running.add(sluice);
    assertThat(sluice.awaitRunning()).isTrue();
  }

  private void restart(int which) throws InterruptedException {
    running.remove(which).close();
    start();
  }

  private String limitsTopic() {
    return settings.get("application.id") + "-limits";
  }

  private void publishChange(int change) throws Exception {
    long atMs = System.currentTimeMillis() + AHEAD_MS;
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (String limit : List.of("stored", "remote")) {
      keys.add((limit + change).getBytes(UTF_8));
      values.add(
          json("'limit':'%s','set':{'quota':'%d/1h'}".formatted(limit, 1_000 + change), atMs));
    }
    keys.add(("eve" + change).getBytes(UTF_8));
    String verdict = isBlocked(change) ? "reject" : "meter";
    values.add(
        json("'limit':'*','for':{'userId':'eve'},'set':{'verdict':'%s'}".formatted(verdict), atMs));
    changes.put(atMs, change);
    servers.publish(limitsTopic(), keys, values);
    long doneMs = System.currentTimeMillis();
    if (atMs - doneMs < SURELY_READ_MS) late.put(atMs, doneMs + SURELY_READ_MS);
  }

  private static byte[] json(String rest, long atMs) {
    return ("{'effectiveAt':" + atMs + "," + rest + "}").replace('\'', '"').getBytes(UTF_8);
  }

  private static boolean isBlocked(int change) {
    return change % 3 == 1;
  }

  private static void publishEvents(Load load) {
    for (int i = 0; i < EVENTS_PER_CHANGE; i++) {
      String user = i % 10 == 0 ? "eve" : "user" + load.count();
      load.publish(user, i % 2 == 0 ? "stored" : "remote");
      if (i % 10 == 9) LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private Map<String, Map<String, String>> verdicts(Map<String, String> settings, int count) {
    List<String> topics =
        List.of(settings.get("sluice.topics.allowed"), settings.get("sluice.topics.rejected"));
    Map<String, Map<String, String>> verdicts = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> each : servers.read(topics, all -> all.size() >= count)) {
      Map<String, String> verdict = new TreeMap<>();
      for (Header header : each.headers()) {
        verdict.put(header.key(), new String(header.value(), UTF_8));
      }
      String value = new String(each.value(), UTF_8);
      verdict.put("value", value);
      assertThat(verdicts.put(value, verdict)).isNull();
    }
    return verdicts;
  }

  private static long timeOf(Map<String, String> verdict) {
    String value = verdict.get("value");
    return Long.parseLong(value.substring(value.lastIndexOf(':') + 1, value.length() - 1));
  }

  private boolean isUncertain(long ms) {
    Map.Entry<Long, Long> last = late.floorEntry(ms);
    return last != null && ms <= last.getValue();
  }

  /** Checks a verdict; returns the change by which it was judged. */
  private int check(Map<String, String> verdict) {
    long ms = timeOf(verdict);
    int change = changes.floorEntry(ms).getValue();
    if (isUncertain(ms)) return change;
    boolean isEve = verdict.get("value").contains("\"eve\"");
    if (isEve) {
      assertThat(verdict.getOrDefault("sluice-reason", "") + change)
          .as("%s, change %d", verdict, change)
          .isEqualTo((isBlocked(change) ? "denied" : "") + change);
    } else {
      assertThat(verdict)
          .as("change %d of %s", change, changes)
          .containsEntry("sluice-remaining", "" + (999 + change));
    }
    return change;
  }
}
