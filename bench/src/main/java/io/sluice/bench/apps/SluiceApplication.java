package io.sluice.bench.apps;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.bench.input.Workload;
import io.sluice.bench.run.Application;
import io.sluice.bench.run.Workplace;
import io.sluice.limiter.redis.RedisMeter;
import io.sluice.limiter.redis.RedisSettings;
import io.sluice.rules.event.Keys;
import io.sluice.server.Sluice;
import io.sluice.topology.ThrottleTopology;
import io.sluice.topology.config.SluiceConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Sluice application with one limit, or several identical limits.
 *
 * @param limit settings of each limit, without their prefix
 * @param general other settings of the application
 * @param oneByOne whether Redis is called for each event, without prefetch
 * @param overrides number of users with a quota of their own
 * @param limits number of identical limits
 */
public record SluiceApplication(
    Map<String, String> limit,
    Map<String, String> general,
    boolean oneByOne,
    int overrides,
    int limits)
    implements Application {
  private static final String FIRST = "measured";
  private static final long EFFECTIVE_AT_MS = 1_000_000_000_000L;

  public SluiceApplication(
      Map<String, String> limit, Map<String, String> general, boolean oneByOne) {
    this(limit, general, oneByOne, 0, 1);
  }

  /** Returns a copy in which this many users have a quota of their own. */
  public SluiceApplication withOverrides(int users) {
    return new SluiceApplication(limit, general, oneByOne, users, limits);
  }

  /** Returns a copy with this many identical limits; the verdicts are those of a single limit. */
  public SluiceApplication withLimits(int count) {
    return new SluiceApplication(limit, general, oneByOne, overrides, count);
  }

  /** Returns a copy with another setting that belongs to no limit. */
  public SluiceApplication with(String key, String value) {
    Map<String, String> more = new HashMap<>(general);
    more.put(key, value);
    return new SluiceApplication(limit, more, oneByOne, overrides, limits);
  }

  public static SluiceApplication onStateStore(String algorithm, String store) {
    return new SluiceApplication(
        Map.of("algorithm", algorithm), Map.of(Keys.STATE_STORE, store), false);
  }

  public static SluiceApplication onRedis(String algorithm, boolean oneByOne) {
    return new SluiceApplication(
        Map.of("algorithm", algorithm, "backend", "redis"), Map.of(), oneByOne);
  }

  /** Returns a copy whose limits have this quota instead of {@link Workload#QUOTA}. */
  public SluiceApplication withQuota(String quota) {
    return limiting("quota", quota);
  }

  /** Returns a copy whose limits count by these fields of the event. */
  public SluiceApplication by(String fields) {
    return limiting("key", fields);
  }

  private SluiceApplication limiting(String key, String value) {
    Map<String, String> more = new HashMap<>(limit);
    more.put(key, value);
    return new SluiceApplication(more, general, oneByOne, overrides, limits);
  }

  @Override
  public Running start(Workplace workplace) throws ExecutionException, InterruptedException {
    if (overrides > 0) publishOverrides(workplace);
    return oneByOne ? startOneByOne(workplace) : open(workplace);
  }

  /**
   * Publishes revisions that give some users a quota of their own, equal to the quota of all users.
   * So the verdicts stay the same, and the benchmark measures the cost of finding the revisions.
   * The revisions, each with another effective time, are published before the application starts.
   */
  private void publishOverrides(Workplace workplace)
      throws ExecutionException, InterruptedException {
    String topic = workplace.createRevisions();
    workplace
        .laboratory()
        .publish(
            overrides,
            i ->
                new ProducerRecord<>(
                    topic, ("override-" + i).getBytes(UTF_8), revision(i).getBytes(UTF_8)));
  }

  private static String revision(long user) {
    return "{\"limit\":\"measured\",\"for\":{\"userId\":\"user-%d\"},\"effectiveAt\":%d,\"set\":{\"quota\":\"%s\"}}"
        .formatted(user, EFFECTIVE_AT_MS + user, Workload.QUOTA);
  }

  /**
   * Starts Sluice's topology without prefetch: it calls Redis for each event at the time at which
   * it processes the event.
   */
  private Running startOneByOne(Workplace at) throws ExecutionException, InterruptedException {
    // Creates further output topics, which an instance of Sluice itself would create.
    for (String name : List.of("-delayed", "-dead-letter")) {
      at.laboratory().createTopic(at.applicationId() + name, Map.of());
    }
    RedisMeter redis =
        new RedisMeter(
            RedisSettings.of(at.redisUri())
                .withKeyPrefix(at.applicationId())
                .withTimeout(Duration.ofSeconds(1)));
    SluiceConfig config = config(at);
    KafkaStreams streams =
        new KafkaStreams(
            ThrottleTopology.build(
                config, Workload.PARTITIONS, InstantSource.system(), () -> redis),
            config.streams());
    streams.start();
    return new PlainTopology.RunningStreams(streams, redis::close);
  }

  /** Starts the application as an instance whose metrics can be read. */
  public RunningSluice open(Workplace workplace) {
    return new RunningSluice(Sluice.start(config(workplace)));
  }

  private SluiceConfig config(Workplace workplace) {
    Map<String, String> settings = workplace.settings();
    List<String> names = names();
    settings.put("sluice.limits", String.join(",", names));
    for (String name : names) {
      String prefix = "sluice.limit." + name + ".";
      settings.put(prefix + "quota", Workload.QUOTA);
      limit.forEach((key, value) -> settings.put(prefix + key, value));
    }
    settings.putAll(general);
    return SluiceConfig.of(settings);
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(List.of(FIRST));
    for (int i = 2; i <= limits; i++) names.add(FIRST + "-" + i);
    return names;
  }
}
