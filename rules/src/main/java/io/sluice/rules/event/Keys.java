package io.sluice.rules.event;

import java.util.Locale;

/** Keys of the settings that apply to the whole application, not to a single limit. */
public final class Keys {
  public static final String VERSION = "sluice.version";
  public static final String LIMITS = "sluice.limits";
  public static final String LIMITS_LIVE = "sluice.limits.live";
  public static final String UNMATCHED = "sluice.unmatched";
  public static final String HEADERS = "sluice.headers";
  public static final String TOPICS_INPUT = "sluice.topics.input";
  public static final String TOPICS_ALLOWED = "sluice.topics.allowed";
  public static final String TOPICS_REJECTED = "sluice.topics.rejected";
  public static final String TOPICS_DELAYED = "sluice.topics.delayed";
  public static final String TOPICS_DEAD_LETTER = "sluice.topics.dead-letter";
  public static final String TOPICS_LIMITS = "sluice.topics.limits";
  public static final String TOPICS_CREATE = "sluice.topics.create";
  public static final String TOPICS_PARTITIONS = "sluice.topics.partitions";
  public static final String TOPICS_REPLICATION_FACTOR = "sluice.topics.replication.factor";
  public static final String TIME = "sluice.time";
  public static final String TIME_MAX_AHEAD = "sluice.time.max.ahead";
  public static final String TIME_LATENESS = "sluice.time.lateness";
  public static final String DUPLICATES = "sluice.duplicates";
  public static final String TOMBSTONES = "sluice.tombstones";
  public static final String EVENT_MISSING = "sluice.event.missing";
  public static final String STATE_STORE = "sluice.state.store";
  public static final String REDIS_URI = "sluice.redis.uri";
  public static final String REDIS_TIMEOUT = "sluice.redis.timeout";
  public static final String REDIS_KEY_PREFIX = "sluice.redis.key.prefix";
  public static final String REDIS_EXPIRY_GRACE = "sluice.redis.expiry.grace";
  public static final String DELAY_TICK = "sluice.delay.tick";
  public static final String QUEUE_PRIORITY = "sluice.queue.priority";
  public static final String QUEUE_PRIORITIES = "sluice.queue.priorities";
  public static final String QUEUE_AGING = "sluice.queue.aging";
  public static final String QUEUE_FAIR = "sluice.queue.fair";
  public static final String EVENT_USER = "sluice.event.user";
  public static final String EVENT_ACTION = "sluice.event.action";
  public static final String EVENT_ID = "sluice.event.id";
  public static final String EVENT_TIME = "sluice.event.time";
  public static final String EVENT_TIME_UNIT = "sluice.event.time.unit";
  public static final String EVENT_TIME_PATTERN = "sluice.event.time.pattern";
  public static final String EVENT_TIME_ZONE = "sluice.event.time.zone";
  public static final String EVENT_COST = "sluice.event.cost";
  public static final String EVENT_COST_MIN = "sluice.event.cost.min";
  public static final String EVENT_TARGET = "sluice.event.target";
  public static final String EVENT_EXPIRES = "sluice.event.expires";
  public static final String EVENT_ATTRIBUTES = "sluice.event.attributes";
  public static final String SCHEMAS_FOLDER = "sluice.schemas.folder";
  public static final String SCHEMAS_ID_BYTES = "sluice.schemas.id.bytes";
  public static final String SCHEMAS_URL = "sluice.schemas.url";
  public static final String SCHEMAS_USER = "sluice.schemas.user";
  public static final String SCHEMAS_PASSWORD = "sluice.schemas.password";
  public static final String HTTP_PORT = "sluice.http.port";
  public static final String HTTP_HOST = "sluice.http.host";
  public static final String HTTP_ADVERTISED = "sluice.http.advertised";
  public static final String HTTP_TOKEN = "sluice.http.token";
  public static final String HTTP_TOKEN_READ = "sluice.http.token.read";
  public static final String HTTP_WRITE = "sluice.http.write";
  public static final String HTTP_TLS_KEYSTORE = "sluice.http.tls.keystore";
  public static final String HTTP_TLS_PASSWORD = "sluice.http.tls.password";
  public static final String HTTP_TLS_TYPE = "sluice.http.tls.type";

  /** First part of the keys of the weights of tenants. */
  public static final String QUEUE_WEIGHT = "sluice.queue.weight.";

  /** First part of the keys of all settings of events. */
  public static final String EVENT = "sluice.event.";

  /** First part of the keys of selectors of named attributes. */
  public static final String EVENT_ATTRIBUTE = "sluice.event.attribute.";

  private static final String OWN = "sluice.";
  private static final String INPUT = "sluice.input.";

  private Keys() {}

  /** Returns the name of an enum constant in settings and metrics: lower case, with dashes. */
  public static String nameOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the key of a setting of events for one input topic. */
  public static String ofInput(String topic, String key) {
    return INPUT + topic + "." + key.substring(OWN.length());
  }

  /**
   * Returns whether a configuration key is a setting of Sluice; all other keys are settings of
   * Kafka.
   */
  public static boolean isOwn(String key) {
    return key.startsWith(OWN);
  }
}
