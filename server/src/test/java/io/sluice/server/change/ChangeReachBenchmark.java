package io.sluice.server.change;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.server.Sluice;
import io.sluice.testing.Load;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Benchmark of the time until a change of a limit is in force on three instances. The load in
 * events per second is an argument, and changes take effect at once. Each event is its user's only
 * one, so its remaining permits tell the quota by which it was judged.
 */
final class ChangeReachBenchmark {
  private static final int CHANGES = 10;
  private static final int TICK_MS = 10;
  private static final int TICKS_PER_CHANGE = 200;

  private final Servers servers = Servers.shared();
  private final Map<String, String> settings =
      servers.settings(
          "sluice.topics.partitions=6",
          "sluice.limits=all",
          "sluice.limit.all.quota=1000/1h",
          "sluice.limit.all.algorithm=sliding-window-log");

  private ChangeReachBenchmark() {}

  public static void main(String[] arguments) throws Exception {
    new ChangeReachBenchmark().measure(Integer.parseInt(arguments[0]));
    System.exit(0);
  }

  private void measure(int perSecond) throws Exception {
    List<Sluice> running = new ArrayList<>();
    for (int i = 0; i < 3; i++) running.add(start());
    String before = group();
    TreeMap<Integer, Long> acknowledgedMs = new TreeMap<>();
    int count;
    try (Load load =
        new Load(servers.kafka.bootstrapServers(), settings.get("sluice.topics.input"))) {
      publish(load, perSecond);
      for (int change = 1; change <= CHANGES; change++) {
        String revision =
            "{\"limit\":\"all\",\"set\":{\"quota\":\"%d/1h\"}}".formatted(1_000 + change);
        servers.publish(
            settings.get("application.id") + "-limits",
            List.of(("change" + change).getBytes(UTF_8)),
            List.of(revision.getBytes(UTF_8)));
        acknowledgedMs.put(1_000 + change, System.currentTimeMillis());
        publish(load, perSecond);
      }
      count = load.published().size();
    }
    List<ConsumerRecord<byte[], byte[]>> allowed =
        servers.read(List.of(settings.get("sluice.topics.allowed")), read -> read.size() >= count);
    say("events: %,d, of which %,d were allowed", count, allowed.size());
    say("group before and after: %s, %s", before, group());
    acknowledgedMs.forEach((quota, ms) -> reach(quota, ms, allowed));
    for (Sluice each : running) each.close();
  }

  private Sluice start() throws InterruptedException {
    Map<String, String> own = new HashMap<>(settings);
    own.put("state.dir", Servers.folder().toString());
    Sluice sluice = Sluice.start(SluiceConfig.of(own));
    if (!sluice.awaitRunning()) throw new IllegalStateException("it did not start");
    return sluice;
  }

  private static void publish(Load load, int perSecond) {
    long next = System.nanoTime();
    for (int tick = 0; tick < TICKS_PER_CHANGE; tick++) {
      for (int i = 0; i < perSecond * TICK_MS / 1_000; i++)
        load.publish("user" + load.count(), "post");
      next += TimeUnit.MILLISECONDS.toNanos(TICK_MS);
      LockSupport.parkNanos(next - System.nanoTime());
    }
  }

  private String group() throws Exception {
    String id = settings.get("application.id");
    try (Admin admin =
        Admin.create(Map.of("bootstrap.servers", servers.kafka.bootstrapServers()))) {
      var group = admin.describeConsumerGroups(List.of(id)).all().get().get(id);
      return group.groupState() + " of " + group.members().size();
    }
  }

  /** Finds the last event that was judged by an earlier change and the first by this one. */
  private static void reach(
      int quota, long acknowledgedMs, List<ConsumerRecord<byte[], byte[]>> all) {
    long lastMs = Long.MIN_VALUE;
    long firstMs = Long.MAX_VALUE;
    for (ConsumerRecord<byte[], byte[]> each : all) {
      int judgedBy = Integer.parseInt(Servers.header(each, "sluice-remaining")) + 1;
      if (judgedBy < quota) lastMs = Math.max(lastMs, timeMs(each));
      if (judgedBy == quota) firstMs = Math.min(firstMs, timeMs(each));
    }
    say(
        "to %d: after it was acknowledged, the first event judged by it came after %d ms, the last"
            + " by another before after %d ms",
        quota, firstMs - acknowledgedMs, lastMs - acknowledgedMs);
  }

  private static long timeMs(ConsumerRecord<byte[], byte[]> record) {
    String json = new String(record.value(), UTF_8);
    return Long.parseLong(json.replaceFirst(".*\"occurredAt\":(\\d+).*", "$1"));
  }

  private static void say(String format, Object... facts) {
    System.out.println(String.format(Locale.ROOT, format, facts));
  }
}
