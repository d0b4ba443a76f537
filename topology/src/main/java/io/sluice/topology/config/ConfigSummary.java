package io.sluice.topology.config;

import static java.util.stream.Collectors.joining;

import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.VerdictHeaders;
import io.sluice.rules.settings.LimitWords;
import io.sluice.rules.settings.RedisConfig;
import io.sluice.schemas.FieldPaths;
import io.sluice.schemas.Role;
import io.sluice.topology.event.SchemaConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.StreamsConfig;

/** Text for users that describes what an application with a given configuration will do. */
final class ConfigSummary {
  private static final int WIDE = 1_000;

  private final SluiceConfig config;

  ConfigSummary(SluiceConfig config) {
    this.config = config;
  }

  String text() {
    return application() + (config.limits().all().isEmpty() ? "" : "\n" + limits());
  }

  /** Returns a table with a row for each limit. */
  private TextTable limits() {
    LimitWords words = new LimitWords(config.limitsConfig());
    TextTable table = new TextTable(WIDE, WIDE, WIDE, WIDE, WIDE, WIDE);
    for (Limit limit : config.limits().all()) {
      List<String> row = new ArrayList<>(List.of(limit.name()));
      row.addAll(words.words(limit));
      table.row(row.toArray(String[]::new));
    }
    return table;
  }

  private TextTable application() {
    Properties streams = config.streams();
    Topics topics = config.topics();
    TextTable table =
        new TextTable(WIDE, WIDE)
            .row(
                "application",
                shown("application.id", config.applicationId())
                    + " on "
                    + shown("bootstrap.servers", streams.getProperty("bootstrap.servers"))
                    + ", "
                    + streams.getProperty("processing.guarantee"))
            .row("reads", shown(Keys.TOPICS_INPUT, String.join(", ", topics.inputs())))
            .row("allowed", "to " + shown(Keys.TOPICS_ALLOWED, "" + topics.allowed()))
            .row("rejected", "to " + shown(Keys.TOPICS_REJECTED, "" + topics.rejected()))
            .row("delayed", "to " + shown(Keys.TOPICS_DELAYED, topics.delayed()))
            .row("not an event", "to " + shown(Keys.TOPICS_DEAD_LETTER, "" + topics.deadLetter()))
            .row("missing topics", created(topics))
            .row("live limits", liveLimits(topics))
            .row("unmatched", config.rejectsUnmatched() ? "rejected" : "allowed")
            .row("time", time())
            .row("sizes", sizes(streams));
    if (config.headers() != VerdictHeaders.Style.EACH) table.row("headers", headers());
    if (!fields().isEmpty()) table.row("fields", fields());
    if (config.schemas().isGiven()) table.row("schemas", schemas(config.schemas()));
    config.home().ifPresent(field -> table.row("state store", stateStore(field)));
    if (config.usesRedis()) table.row("redis", redis());
    if (config.http().served()) table.row("metrics", "on " + http(config.http()));
    List<String> variables = config.variables();
    if (!variables.isEmpty()) table.row("environment", "sets " + String.join(", ", variables));
    return table;
  }

  /**
   * Returns the value of a key for display: if the file gives a reference to a config provider, the
   * reference, since the value may be a secret.
   */
  private String shown(String key, String text) {
    return config.shown(key, text);
  }

  private String schemas(SchemaConfig schemas) {
    if (!schemas.folder().isEmpty()) {
      String folder = shown(Keys.SCHEMAS_FOLDER, schemas.folder());
      return schemas.files().size() + " in " + folder;
    }
    String user = shown(Keys.SCHEMAS_USER, schemas.user());
    return shown(Keys.SCHEMAS_URL, schemas.url()) + (user.isEmpty() ? "" : ", as " + user);
  }

  /** Describes the event fields whose configured paths differ from the default paths. */
  private String fields() {
    FieldPaths paths = config.paths();
    return Arrays.stream(Role.values())
        .filter(role -> !paths.of(role).equals(role.defaultPath()))
        .map(role -> role.label() + ": " + field(role, paths.of(role)))
        .collect(joining(", "));
  }

  private String field(Role role, String path) {
    if (path.isEmpty() && role == Role.ACTION) return "the topic's name";
    return path.isEmpty() ? "none" : shown(EventSettings.path(role).name, path);
  }

  private static String created(Topics topics) {
    if (!topics.create()) return "an error";
    String replicas =
        topics.replicationFactor() < 0
            ? "the broker's default number of"
            : "" + topics.replicationFactor();
    return "created, with " + topics.partitions() + " partitions and " + replicas + " replicas";
  }

  private String liveLimits(Topics topics) {
    if (!topics.hasLimits()) return "off";
    String application = shown("application.id", config.applicationId());
    boolean byDefault = topics.limits().equals(config.applicationId() + "-limits");
    String topic = byDefault ? application + "-limits" : topics.limits();
    return "revisions from " + shown(Keys.TOPICS_LIMITS, topic);
  }

  private String headers() {
    return config.headers() == VerdictHeaders.Style.ONE
        ? "one on each event"
        : "one on rejected events, none on allowed ones";
  }

  private String time() {
    boolean ofEvents = config.judgesByEventTime();
    return (ofEvents ? "event time" : "wall clock")
        + (ofEvents
            ? ", up to " + LimitWords.period(config.timeLateness().toMillis()) + " late"
            : "")
        + "; an event more than "
        + LimitWords.period(config.timeMaxAhead().toMillis())
        + " ahead is a dead letter";
  }

  private static String sizes(Properties streams) {
    String most = given(streams, ProducerConfig.MAX_REQUEST_SIZE_CONFIG, "");
    String compression = given(streams, ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
    return "events up to "
        + (most.isEmpty() ? "16 MiB (more if the input topics accept more)" : most + " bytes")
        + ", if their topics accept them "
        + (compression.equals("none") ? "uncompressed" : "compressed (" + compression + ")")
        + "; a larger event is a dead letter";
  }

  private static String given(Properties streams, String name, String otherwise) {
    String forAll = streams.getProperty(name, otherwise);
    return streams.getProperty(StreamsConfig.producerPrefix(name), forAll);
  }

  private String stateStore(Field home) {
    return "in "
        + (config.keepsStateInMemory() ? "memory" : "RocksDB")
        + ", with a changelog; events are metered on the partition of their "
        + home;
  }

  private String redis() {
    RedisConfig redis = config.redis();
    return shown(Keys.REDIS_URI, redis.toString())
        + (redis.isCluster() ? ", a cluster" : "")
        + "; keys begin with "
        + shown(Keys.REDIS_KEY_PREFIX, redis.keyPrefix())
        + "; timeout "
        + LimitWords.period(redis.timeout().toMillis());
  }

  private String http(HttpConfig http) {
    String host = shown(Keys.HTTP_HOST, http.host());
    String port = http.port() == 0 ? "a free port of " + host : host + ":" + http.port();
    if (http.token().isEmpty()) return port;
    return port
        + ", with a token"
        + (http.readToken().isEmpty() ? "" : ", and one that only reads");
  }
}
