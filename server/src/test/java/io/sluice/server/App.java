package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.testing.Load;
import io.sluice.testing.Outputs;
import io.sluice.testing.Servers;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.metrics.RedisMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Metric;

/** Application with one instance, a load generator and a consumer of its outputs. */
public final class App implements AutoCloseable {
  public final SluiceConfig config;
  public final Sluice sluice;
  public final MeterRegistry registry = new SimpleMeterRegistry();
  public final Load load;
  public final Outputs outputs;
  private final boolean streamsProtocol;

  public App(Servers servers, String... settings) throws Exception {
    Map<String, String> given = servers.settings(settings);
    config = SluiceConfig.of(given);
    streamsProtocol = "streams".equals(given.get("group.protocol"));
    sluice = Sluice.start(config, registry);
    assertThat(sluice.awaitRunning()).isTrue();
    load = new Load(servers.kafka.bootstrapServers(), config.inputTopics().get(0));
    outputs = new Outputs(servers.kafka.bootstrapServers(), config.outputTopics());
  }

  public String name() {
    return config.streams().getProperty("application.id");
  }

  /** Value of a metric; the sum if several clients have it. */
  public double metric(String name) {
    return sluice.metrics().entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(name))
        .map(Map.Entry::getValue)
        .mapToDouble(App::value)
        .sum();
  }

  private static double value(Metric metric) {
    return metric.metricValue() instanceof Number number ? number.doubleValue() : 0;
  }

  public boolean hasRedis() {
    return metric(RedisMetrics.AVAILABLE) == 1;
  }

  /**
   * Members of the group, and the number of its rebalances. Nothing of it may change while Redis is
   * unavailable.
   */
  public List<String> membership(Admin admin) throws Exception {
    TreeSet<String> members = new TreeSet<>();
    if (streamsProtocol) {
      var group = admin.describeStreamsGroups(List.of(name())).all().get().get(name());
      group.members().forEach(member -> members.add(member.memberId()));
      members.add("epoch " + group.groupEpoch());
    } else {
      var group = admin.describeConsumerGroups(List.of(name())).all().get().get(name());
      group.members().forEach(member -> members.add(member.consumerId()));
      members.add("rebalances " + metric("rebalance-total"));
    }
    members.add("failed threads " + metric("failed-stream-threads"));
    return new ArrayList<>(members);
  }

  /** Waits until the group has had the same members for two seconds, and returns them. */
  public List<String> settled(Admin admin) throws Exception {
    List<String> members = new ArrayList<>();
    await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(200))
        .during(Duration.ofSeconds(2))
        .until(
            () -> {
              List<String> now = membership(admin);
              boolean same = members.equals(now);
              members.clear();
              members.addAll(now);
              return same;
            });
    return members;
  }

  /** Waits until all published events have verdicts. */
  public void catchUp() throws Exception {
    List<String> published = load.published();
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () ->
                assertThat(outputs.all()).as(name()).hasSizeGreaterThanOrEqualTo(published.size()));
  }

  @Override
  public void close() {
    load.close();
    sluice.close();
    outputs.close();
  }
}
