package io.sluice.topology;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.Role;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** Says what a configuration will do. */
final class ConfigSummary {
  private static final int WIDE = 1_000;

  private final SluiceConfig config;

  ConfigSummary(SluiceConfig config) {
    this.config = config;
  }

  String text() {
    return application() + (config.limits().isEmpty() ? "" : "\n" + limits());
  }

  private TextTable application() {
    Properties streams = config.streams();
    Topics topics = config.topics();
    TextTable table =
        new TextTable(WIDE, WIDE)
            .row(
                "application",
                streams.getProperty("application.id")
                    + " on "
                    + streams.getProperty("bootstrap.servers")
                    + ", "
                    + streams.getProperty("processing.guarantee"))
            .row("reads", String.join(", ", topics.inputs()))
            .row("allowed", "to " + topics.allowed())
            .row("rejected", "to " + topics.rejected())
            .row("delayed", "to " + topics.delayed())
            .row("not an event", "to " + topics.deadLetter())
            .row("missing topics", created(topics))
            .row("unmatched", config.rejectsUnmatched() ? "rejected" : "allowed")
            .row("time", time())
            .row("sizes", sizes(streams));
    if (!fields().isEmpty()) table.row("fields", fields());
    if (config.schemas().isGiven()) table.row("schemas", config.schemas().toString());
    config.home().ifPresent(field -> table.row("state store", stateStore(field)));
    if (config.usesRedis()) table.row("redis", redis());
    if (config.http().served()) table.row("metrics", "on " + http(config.http()));
    List<String> variables = config.variables();
    if (!variables.isEmpty()) table.row("environment", "sets " + String.join(", ", variables));
    return table;
  }

  /** Those that are not where they are in a UserAction. */
  private String fields() {
    FieldPaths paths = config.paths();
    return Arrays.stream(Role.values())
        .filter(role -> !paths.of(role).equals(role.defaultPath()))
        .map(role -> role.label() + (paths.of(role).isEmpty() ? ": none" : ": " + paths.of(role)))
        .collect(joining(", "));
  }

  private static String created(Topics topics) {
    if (!topics.create()) return "an error";
    String replicas =
        topics.replicationFactor() < 0 ? "the broker's number of" : "" + topics.replicationFactor();
    return "created, with " + topics.partitions() + " partitions and " + replicas + " replicas";
  }

  private String time() {
    String clock = config.time() == TimeSource.EVENT ? "of the events" : "of the wall clock";
    return clock
        + "; an event more than "
        + inWords(config.timeMaxAhead().toMillis())
        + " ahead is a dead letter";
  }

  private static String sizes(Properties streams) {
    String most = given(streams, ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "");
    return "an event of "
        + (most.isEmpty() ? "16 MiB at least" : most + " bytes at most")
        + " before compression ("
        + given(streams, ProducerConfig.COMPRESSION_TYPE_CONFIG, "none")
        + "), and what its topics take after it; a larger one is a dead letter";
  }

  private static String given(Properties streams, String name, String otherwise) {
    String forAll = streams.getProperty(name, otherwise);
    return streams.getProperty(StreamsConfig.producerPrefix(name), forAll);
  }

  private String stateStore(Field home) {
    return "in "
        + (config.stateStore() == StateStoreKind.MEMORY ? "memory" : "RocksDB")
        + ", with a changelog; events are metered on the partition of their "
        + home;
  }

  private String redis() {
    RedisConfig redis = config.redis();
    return redis
        + (redis.isCluster() ? ", a cluster" : "")
        + "; keys begin with "
        + redis.keyPrefix()
        + "; away after "
        + inWords(redis.timeout().toMillis());
  }

  private static String http(HttpConfig http) {
    return http.port() == 0 ? "a free port of " + http.host() : http.host() + ":" + http.port();
  }

  private TextTable limits() {
    TextTable table = new TextTable(WIDE, WIDE, WIDE, WIDE, WIDE, WIDE);
    for (Limit limit : config.limits()) {
      table.row(
          limit.name(),
          limit.match().toString(),
          quota(limit.rule()) + per(limit.key()),
          kept(limit),
          "over it: " + over(limit),
          whileRedisIsAway(limit));
    }
    return table;
  }

  private static String quota(Rule rule) {
    Quota quota = rule.quota();
    String period = inWords(quota.periodMicros() / 1_000);
    return switch (rule.algorithm()) {
      case GCRA -> quota.permits() + " in " + period + ", " + quota.burst() + " at once,";
      case SLIDING_WINDOW_LOG -> "at most " + quota.permits() + " in any " + period;
      case SLIDING_WINDOW_COUNTER -> "about " + quota.permits() + " in any " + period;
    };
  }

  private static String per(LimitKey key) {
    if (key.fields().isEmpty()) return " over all";
    return " per " + key.fields().stream().map(Field::toString).collect(joining(" and "));
  }

  private static String kept(Limit limit) {
    Algorithm algorithm = limit.rule().algorithm();
    String backend = limit.backend() == Backend.REDIS ? "redis" : "the state store";
    return LimitSettings.nameOf(algorithm) + " on " + backend;
  }

  private static String over(Limit limit) {
    if (limit.rule().shadow()) return "only reported";
    if (limit.rule().countsAttempts()) return "rejected, and counted too";
    Exceeded exceeded = limit.exceeded();
    if (exceeded instanceof Exceeded.Delay delay) {
      return "delayed by up to " + inWords(delay.maxWaitMicros() / 1_000) + ", else rejected";
    }
    if (exceeded instanceof Exceeded.Retry retry) {
      return "metered again, " + retry.attempts() + " times in all, then rejected";
    }
    return "rejected";
  }

  private static String whileRedisIsAway(Limit limit) {
    if (limit.backend() != Backend.REDIS) return "";
    return "redis away: "
        + switch (limit.redisUnavailable()) {
          case WAIT -> "events wait";
          case ALLOW -> "allowed";
          case REJECT -> "rejected";
          case STATE_STORE -> "each partition counts for itself";
        };
  }

  /** In the largest unit that leaves no fraction; a minute stays 60 s, as quotas are written. */
  static String inWords(long millis) {
    if (millis % 1_000 != 0) return millis + " ms";
    if (millis % 60_000 != 0 || millis <= 60_000) return millis / 1_000 + " s";
    if (millis % 3_600_000 != 0) return millis / 60_000 + " min";
    if (millis % 86_400_000 != 0) return millis / 3_600_000 + " h";
    return millis / 86_400_000 + " d";
  }
}
