package io.sluice.topology;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Reads all limits, and refuses those that cannot be together. */
final class LimitsReader {
  private final GivenSettings settings;

  LimitsReader(GivenSettings settings) {
    this.settings = settings;
  }

  /** The limits in the order that they are listed in. */
  List<Limit> read() {
    List<String> listed = listed();
    List<Limit> limits = listed.stream().map(this::limit).toList();
    readUnlisted(listed);
    checkSharedField(limits);
    checkRedisUri(limits);
    return limits;
  }

  /** The names in the list; those that have settings, if the list is bad. */
  private List<String> listed() {
    return settings
        .find(CommonSettings.LIMITS)
        .orElseGet(() -> settings.has(CommonSettings.LIMITS) ? settings.limitNames() : List.of());
  }

  private Limit limit(String name) {
    return new LimitReader(name, settings.forLimit(name)).read();
  }

  /** Only for the mistakes: that they are not listed, and their own. */
  private void readUnlisted(List<String> listed) {
    for (String name : settings.limitNames()) {
      if (listed.contains(name)) continue;
      String key = Setting.limitPrefix(name);
      String first = key + settings.beginning(key).keySet().iterator().next();
      settings.mistakes().add(first, notListed(name, listed));
      GivenSettings own = settings.forLimit(name);
      if (own.has(LimitSettings.QUOTA)) limit(name);
    }
  }

  private String notListed(String name, List<String> listed) {
    String known = listed.isEmpty() ? "no limit" : String.join(", ", listed);
    return "limit " + name + " is not in " + SluiceConfig.LIMITS + ", which lists " + known;
  }

  /** Events are homed by one field, which all limits on the state store must then count by. */
  private void checkSharedField(List<Limit> limits) {
    List<Limit> before = new ArrayList<>();
    for (Limit limit : limits) {
      if (!Homing.counts(limit) || !isPlain(limit)) continue;
      List<LimitKey> keys =
          Stream.concat(before.stream(), Stream.of(limit)).map(Limit::key).toList();
      if (Homing.shared(keys).isEmpty()) {
        settings.forLimit(limit.name()).mistake(LimitSettings.KEY, sharesNone(limit, before));
      } else {
        before.add(limit);
      }
    }
  }

  /** Whether what the check goes by is certain. */
  private boolean isPlain(Limit limit) {
    GivenSettings own = settings.forLimit(limit.name());
    return own.sound(LimitSettings.KEY) && own.sound(LimitSettings.BACKEND);
  }

  private static String sharesNone(Limit limit, List<Limit> others) {
    return "limits on the state store share a field, and this shares none with "
        + others.stream()
            .map(other -> other.name() + " (" + other.key() + ")")
            .collect(joining(", "))
        + "; or set "
        + LimitSettings.BACKEND.keyFor(limit.name())
        + "=redis";
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
