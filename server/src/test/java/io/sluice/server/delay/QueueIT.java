package io.sluice.server.delay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Sluice;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of events that wait in line, with a real broker and a real Redis. */
@Tag("slow") // a backlog leaves at a vendor's pace
class QueueIT {
  private static final int RATE = 20;
  private static final int TICK_MS = 100;
  private static final String[] VENDOR_AND_PHONE = {
    "sluice.limits=vendor,phone",
    "sluice.limit.vendor.key=",
    "sluice.limit.vendor.backend=redis",
    "sluice.limit.vendor.quota=" + RATE + "/1s",
    "sluice.limit.vendor.burst=1",
    "sluice.limit.vendor.exceeded=queue",
    "sluice.limit.phone.quota=1/2s",
    "sluice.limit.phone.burst=1",
    "sluice.limit.phone.exceeded=queue",
    "sluice.delay.tick=" + TICK_MS + "ms"
  };

  private final Servers servers = Servers.shared();

  /** Release of an event, as its headers and its topic tell. */
  private record Release(String user, int number, long atMs, int partition) {
    static String id(ConsumerRecord<byte[], byte[]> record) {
      return new String(record.value(), UTF_8).replaceAll(".*\"eventId\":\"([^\"]*)\".*", "$1");
    }

    static Release of(ConsumerRecord<byte[], byte[]> record) {
      String[] id = id(record).split("/", 2);
      long atMs = Long.parseLong(Servers.header(record, "sluice-released-at-ms"));
      return new Release(id[0], Integer.parseInt(id[1]), atMs, record.partition());
    }
  }

  @Test
  void sixPartitionsOnTwoInstancesShareTheVendorsRate() throws Exception {
    Map<String, String> settings = servers.settings(VENDOR_AND_PHONE);
    Map<String, String> other = new HashMap<>(settings);
    other.put("state.dir", Servers.folder().toString());
    SluiceConfig config = SluiceConfig.of(settings);
    try (Sluice first = Sluice.start(config);
        Sluice second = Sluice.start(SluiceConfig.of(other))) {
      assertThat(first.awaitRunning() && second.awaitRunning()).isTrue();
      int users = 200;
      publish(config, users, 1);
      List<Release> released = released(config, users);
      report(released);
      neverAboveTheRate(released);
      assertThat(released.stream().map(Release::partition).distinct()).hasSizeGreaterThan(4);
    }
  }

  @Test
  void messagesToAPhoneLeaveInOrderAndApart() throws Exception {
    SluiceConfig config = SluiceConfig.of(servers.settings(VENDOR_AND_PHONE));
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish(config, 20, 3);
      List<Release> released = released(config, 60);
      neverAboveTheRate(released);
      Map<String, Release> last = new HashMap<>();
      released.stream()
          .sorted((one, two) -> Long.compare(one.atMs(), two.atMs()))
          .forEach(
              next -> {
                Release before = last.put(next.user(), next);
                if (before == null) return;
                assertThat(next.number()).isEqualTo(before.number() + 1);
                assertThat(next.atMs() - before.atMs()).isGreaterThanOrEqualTo(2_000 - TICK_MS);
              });
    }
  }

  private void publish(SluiceConfig config, int users, int each) throws Exception {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (int number = 0; number < each; number++) {
      for (int user = 0; user < users; user++) {
        keys.add(("u" + user).getBytes(UTF_8));
        values.add(
            "{\"eventId\":\"u%1$d/%2$d\",\"userId\":\"u%1$d\",\"action\":\"sms\",\"occurredAt\":%3$d}"
                .formatted(user, number, System.currentTimeMillis())
                .getBytes(UTF_8));
      }
    }
    servers.publish(config.inputTopics().get(0), keys, values);
  }

  private List<Release> released(SluiceConfig config, int count) throws Exception {
    List<ConsumerRecord<byte[], byte[]>> read =
        servers.read(config.topics().allowed().names(), so -> so.size() >= count);
    Set<String> ids = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> each : read) ids.add(Release.id(each));
    assertThat(ids).hasSize(count);
    assertThat(read).hasSize(count);
    return read.stream().map(Release::of).toList();
  }

  /** Checks that no window holds more than its quota, and that of a tick, and the burst. */
  private static void neverAboveTheRate(List<Release> released) {
    long[] atMs = released.stream().mapToLong(Release::atMs).sorted().toArray();
    for (int i = 0; i < atMs.length; i++) {
      for (int j = i; j < atMs.length; j++) {
        double most = (atMs[j] - atMs[i] + TICK_MS) * RATE / 1e3 + 1;
        assertThat(j - i + 1.0).as("%d to %d ms", atMs[i], atMs[j]).isLessThanOrEqualTo(most);
      }
    }
  }

  private static void report(List<Release> released) {
    long[] atMs = released.stream().mapToLong(Release::atMs).sorted().toArray();
    double seconds = (atMs[atMs.length - 1] - atMs[0]) / 1e3;
    long[] byPartition = new long[6];
    released.forEach(each -> byPartition[each.partition()]++);
    long half = atMs[atMs.length / 2];
    long[] firstHalf = new long[6];
    released.stream()
        .filter(each -> each.atMs() < half)
        .forEach(each -> firstHalf[each.partition()]++);
    System.out.printf(
        Locale.ROOT,
        "rate used: %.1f %%; events by partition %s, of these in the first half %s%n",
        100 * (atMs.length - 1) / seconds / RATE,
        Arrays.toString(byPartition),
        Arrays.toString(firstHalf));
  }
}
