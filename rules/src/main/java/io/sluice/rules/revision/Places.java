package io.sluice.rules.revision;

import static java.util.stream.Collectors.joining;

import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.rules.settings.RedisConfig;
import java.util.List;
import java.util.function.Function;

/**
 * Refuses revisions that would need a place for counts (state store, Redis, partition or Redis
 * slot) that the application lacks. The configuration decides on these places at the start.
 */
final class Places {
  private static final String FIRST_USE =
      "no limit uses the state store yet, and its first use needs a restart: set it in the"
          + " configuration file";

  private final Limits configured;
  private final boolean hasRedis;
  private final boolean isCluster;
  private final Function<Limit, String> own;

  /**
   * Creates the checks for the limits of a configuration.
   *
   * @param own returns why the program itself cannot have a limit; empty if it can
   */
  Places(Limits configured, RedisConfig redis, Function<Limit, String> own) {
    this.configured = configured;
    this.own = own;
    hasRedis = !redis.uri().isEmpty();
    isCluster = redis.isCluster();
  }

  /** Returns why a limit cannot be changed to this one; empty if it can. */
  String refusal(InForce before, Limit limit) {
    if (before.exists()) {
      String moved = moved(before.limit(), limit);
      if (!moved.isEmpty()) return moved;
    }
    String unsuited = own.apply(limit);
    if (!unsuited.isEmpty()) return unsuited;
    if (limit.fallsBack() && !configured.keepState()) {
      return mistake(limit, "redis.unavailable", "state-store", FIRST_USE);
    }
    boolean isNew = !isConfigured(limit);
    return isNew ? misplaced(limit) : apart(before.limit(), limit);
  }

  private static String moved(Limit before, Limit limit) {
    if (!limit.key().equals(before.key())) {
      String key = limit.key().toString();
      return mistake(limit, "key", key, fixed(before.key().toString()));
    }
    if (!limit.distinct().equals(before.distinct())) {
      return mistake(limit, "distinct", listed(limit.distinct()), fixed(before.distinct()));
    }
    if (limit.backend() == before.backend()) return "";
    return mistake(
        limit, "backend", Keys.nameOf(limit.backend()), fixed(Keys.nameOf(before.backend())));
  }

  private static String fixed(String before) {
    return "cannot change while the application runs, because counts depend on it: it is " + before;
  }

  private static String fixed(List<Field> before) {
    return fixed(before.isEmpty() ? "none" : listed(before));
  }

  private static String listed(List<Field> fields) {
    return fields.stream().map(Field::toString).collect(joining(","));
  }

  private boolean isConfigured(Limit limit) {
    return configured.all().stream().anyMatch(each -> each.name().equals(limit.name()));
  }

  private String misplaced(Limit limit) {
    if (limit.backend() == Backend.REDIS) {
      return hasRedis
          ? apartFromConfigured(limit)
          : mistake(limit, "backend", "redis", "the configuration has no " + Keys.REDIS_URI);
    }
    String instead = "; or set " + "sluice.limit." + limit.name() + ".backend=redis";
    if (!configured.keepState()) {
      return mistake(limit, "backend", "state-store", FIRST_USE + instead);
    }
    Field home = configured.home();
    return limit.key().fields().contains(home)
        ? ""
        : mistake(
            limit,
            "key",
            limit.key().toString(),
            "the keys of limits on the state store must share " + home + instead);
  }

  /**
   * Checks a limit whose match changes. On a Redis Cluster its key must be in one slot with the
   * keys of the other limits; before the change, other slots may have been allowed because the
   * limits matched different events.
   */
  private String apart(Limit before, Limit limit) {
    boolean matters = limit.backend() == Backend.REDIS && !limit.match().coversAs(before.match());
    return matters ? apartFromConfigured(limit) : "";
  }

  private String apartFromConfigured(Limit limit) {
    if (!isCluster) return "";
    List<String> others =
        configured.all().stream()
            .filter(each -> each.backend() == Backend.REDIS)
            .filter(each -> !each.key().sharesTag(limit.key()))
            .map(Limit::name)
            .toList();
    boolean alone = configured.all().stream().noneMatch(each -> each.backend() == Backend.REDIS);
    if (others.isEmpty() && (!alone || limit.key().fields().contains(Field.USER_ID))) return "";
    return mistake(
        limit,
        "key",
        limit.key().toString(),
        "on a Redis Cluster the limits of an event must count in one place: give all of them keys"
            + " with userId"
            + (others.isEmpty() ? "" : ", or the same key as " + String.join(", ", others)));
  }

  private static String mistake(Limit limit, String setting, String text, String problem) {
    return LimitTexts.mistake(limit.name(), setting, text, problem);
  }
}
