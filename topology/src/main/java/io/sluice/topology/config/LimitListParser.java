package io.sluice.topology.config;

import static java.util.stream.Collectors.joining;

import io.sluice.limiter.redis.RedisSettings;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.QueueConflict;
import io.sluice.rules.limit.Verdict.Duplicates;
import io.sluice.rules.settings.LimitParser;
import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.RawSettings;
import io.sluice.rules.settings.Setting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Parser of all limits in a configuration. It refuses limits that cannot be combined. */
final class LimitListParser {
  private final RawSettings settings;

  LimitListParser(RawSettings settings) {
    this.settings = settings;
  }

  /** Parses the limits in the order of {@code sluice.limits}, and reports their mistakes. */
  List<Limit> read() {
    List<String> listed = listed();
    List<Limit> limits = listed.stream().map(this::listed).toList();
    settings.limitNames().stream()
        .filter(name -> !listed.contains(name))
        .forEach(name -> unlisted(name, listed));
    checkUnless(limits);
    checkSharedField(limits);
    checkRedisUri(limits);
    checkSharedTag(limits);
    checkFilters(limits);
    checkQueues(limits);
    return limits;
  }

  /**
   * Returns the names in {@code sluice.limits}; if that list is invalid, the names of all limits
   * that have settings.
   */
  private List<String> listed() {
    List<String> others =
        settings.has(CommonSettings.LIMITS) ? settings.limitNames() : List.<String>of();
    return settings.find(CommonSettings.LIMITS).orElse(others);
  }

  private Limit listed(String name) {
    return LimitParser.readComplete(name, settings.forLimit(name));
  }

  /**
   * Reports a limit that has settings but is not in {@code sluice.limits}, and parses the limit to
   * report its other mistakes too.
   */
  private void unlisted(String name, List<String> listed) {
    String prefix = Setting.limitPrefix(name);
    String first = prefix + settings.beginning(prefix).keySet().iterator().next();
    settings
        .mistakes()
        .add(
            first,
            "limit "
                + name
                + " is not in "
                + Keys.LIMITS
                + (listed.isEmpty() ? ", which lists none" : "=" + String.join(",", listed)));
    LimitParser reader = new LimitParser(name, settings.forLimit(name));
    reader.read();
  }

  /**
   * Checks each limit's setting {@code unless}, which names other limits. A cycle of limits is
   * reported once, for the first limit in it.
   */
  private void checkUnless(List<Limit> limits) {
    Set<String> said = new HashSet<>();
    for (Limit limit : limits) {
      RawSettings own = settings.forLimit(limit.name());
      if (!own.sound(LimitSettings.UNLESS)) continue;
      limit
          .mistakeAmong(limits)
          .filter(said::add)
          .ifPresent(problem -> own.mistake(LimitSettings.UNLESS, problem));
    }
  }

  /** Reports limits whose match names a topic that is no input topic. */
  void checkTopics(List<Limit> limits, List<String> inputs) {
    for (Limit limit : limits) LimitParser.checkTopics(limit, settings, inputs);
  }

  /**
   * Checks that the keys of all limits on the state store share a field, since events can be
   * partitioned by one field only.
   */
  private void checkSharedField(List<Limit> limits) {
    List<Limit> before = new ArrayList<>();
    for (Limit limit : limits) {
      if (limit.backend() != Backend.STATE_STORE || !isPlain(limit)) continue;
      List<LimitKey> keys =
          Stream.concat(before.stream(), Stream.of(limit)).map(Limit::key).toList();
      if (Limits.shared(keys).isEmpty()) {
        settings.forLimit(limit.name()).mistake(LimitSettings.KEY, sharesNone(limit, before));
      } else {
        before.add(limit);
      }
    }
  }

  private static String named(List<Limit> limits) {
    return limits.stream()
        .map(limit -> limit.name() + " (" + limit.key() + ")")
        .collect(joining(", "));
  }

  /** Whether the settings of the limit's key and backend are valid, so that they can be checked. */
  private boolean isPlain(Limit limit) {
    RawSettings own = settings.forLimit(limit.name());
    return own.sound(LimitSettings.KEY) && own.sound(LimitSettings.BACKEND);
  }

  private static String sharesNone(Limit limit, List<Limit> others) {
    return "the keys of limits on the state store must share a field, and this one shares none with"
        + " "
        + named(others)
        + "; or set "
        + LimitSettings.BACKEND.keyFor(limit.name())
        + "=redis";
  }

  /**
   * Checks that limits which may match the same event have a common hash tag, since a Redis Cluster
   * can charge them in one step only if their keys are on one node.
   */
  private void checkSharedTag(List<Limit> limits) {
    if (settings.find(CommonSettings.REDIS_URI).filter(LimitListParser::isCluster).isEmpty())
      return;
    List<Limit> before = new ArrayList<>();
    for (Limit limit : limits) {
      if (limit.backend() != Backend.REDIS || !isPlain(limit)) continue;
      List<Limit> elsewhere = before.stream().filter(other -> areApart(limit, other)).toList();
      if (elsewhere.isEmpty()) before.add(limit);
      else settings.forLimit(limit.name()).mistake(LimitSettings.KEY, isApart(elsewhere));
    }
  }

  private static boolean isCluster(String uri) {
    return RedisSettings.of(uri).isCluster();
  }

  private static boolean areApart(Limit limit, Limit other) {
    return !limit.key().sharesTag(other.key()) && !limit.match().excludes(other.match());
  }

  private static String isApart(List<Limit> others) {
    return "on a Redis Cluster the limits of an event must count in one place, and an event may"
        + " match this and "
        + named(others)
        + "; give all of them keys with userId, or the same key, or matches that exclude each"
        + " other";
  }

  /**
   * Refuses limits with Bloom filters on a Redis Cluster: all keys of a limit share a filter, but
   * the keys are on many nodes.
   */
  private void checkFilters(List<Limit> limits) {
    if (settings.find(CommonSettings.REDIS_URI).filter(LimitListParser::isCluster).isEmpty())
      return;
    for (Limit limit : limits) {
      boolean filters = limit.rule().algorithm().admitsOnce() && limit.backend() == Backend.REDIS;
      if (!filters || !isPlain(limit)) continue;
      settings
          .forLimit(limit.name())
          .mistake(
              LimitSettings.ALGORITHM,
              "bloom needs one Redis, and "
                  + Keys.REDIS_URI
                  + " is of a Redis Cluster; use backend=state-store");
    }
  }

  /**
   * Refuses limits that delay or retry events for which another limit has a queue. Reports the
   * limits without the queue only, so that each pair is reported once.
   */
  private void checkQueues(List<Limit> limits) {
    List<Limit> sound = limits.stream().filter(this::hasSoundQueue).toList();
    List<Limit> resolved = Limits.of(sound, false, Duplicates.REJECT).resolved();
    for (Limit limit : resolved) {
      if (limit.queues()) continue;
      QueueConflict.problem(limit, resolved)
          .ifPresent(
              problem -> settings.forLimit(limit.name()).mistake(LimitSettings.EXCEEDED, problem));
    }
  }

  private boolean hasSoundQueue(Limit limit) {
    RawSettings own = settings.forLimit(limit.name());
    return own.sound(LimitSettings.EXCEEDED) && own.sound(LimitSettings.UNLESS);
  }

  private void checkRedisUri(List<Limit> limits) {
    List<String> onRedis =
        limits.stream().filter(limit -> limit.backend() == Backend.REDIS).map(Limit::name).toList();
    if (!onRedis.isEmpty() && !settings.has(CommonSettings.REDIS_URI)) {
      settings.missing(
          CommonSettings.REDIS_URI,
          "needed by limits on redis: "
              + String.join(", ", onRedis)
              + "; such as redis://localhost:6379");
    }
  }
}
