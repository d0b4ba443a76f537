package io.sluice.rules.revision;

import io.sluice.rules.event.Field;
import io.sluice.rules.revision.LimitRevision.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Random revisions, as users and accidents make them; many are invalid. The same for a seed. */
final class RandomRevisions {
  static final int HOURS = 12;
  static final List<String> USERS = List.of("ada", "bob");
  private static final List<String> LIMITS = List.of("reply", "reply", "dm", "dm", "sms", "*");
  private static final Map<String, List<String>> TEXTS =
      Map.ofEntries(
          Map.entry("quota", List.of("1/60s", "2/1h", "7/1m", "3/day", "3/week", "nonsense")),
          Map.entry("burst", List.of("1", "4", "0")),
          Map.entry(
              "algorithm",
              List.of("funnel", "sliding-window-log", "sliding-window-counter", "calendar-window")),
          Map.entry("zone", List.of("Europe/Berlin", "UTC")),
          Map.entry("exceeded", List.of("reject", "delay", "retry")),
          Map.entry("delay.max", List.of("1h", "10s")),
          Map.entry("block", List.of("10m", "1h", "")),
          Map.entry("match.action", List.of("reply", "dm", "reply,dm")),
          Map.entry("enabled", List.of("true", "false", "true")),
          Map.entry("verdict", List.of("allow", "reject", "meter", "pause")),
          Map.entry("reset", List.of("true")),
          Map.entry("key", List.of("userId", "userId,target")));

  private final SplittableRandom random;

  RandomRevisions(SplittableRandom random) {
    this.random = random;
  }

  List<LimitRevision> many(int count, int ids) {
    List<LimitRevision> many = new ArrayList<>();
    for (int i = 0; i < count; i++) many.add(next("r" + random.nextInt(ids)));
    return many;
  }

  LimitRevision next(String id) {
    long from = Given.at(random.nextInt(HOURS));
    long until =
        random.nextBoolean() ? LimitRevision.FOR_GOOD : Given.at(random.nextInt(HOURS + 1));
    String limit = any(LIMITS);
    return new LimitRevision(id, limit, scope(), settings(), from, until, "", "");
  }

  private Scope scope() {
    Map<String, String> values = new HashMap<>();
    if (random.nextInt(5) < 2) values.put("userId", any(USERS));
    if (random.nextInt(5) < 2) values.put("target", any(USERS));
    Map<Field, String> fields = new HashMap<>();
    values.forEach((name, value) -> fields.put(Field.parse(name), value));
    return fields.isEmpty() ? Scope.WHOLE : Scope.of(fields);
  }

  private Settings settings() {
    List<String> names = new ArrayList<>(TEXTS.keySet());
    names.sort(null);
    Map<String, String> texts = new HashMap<>();
    Set<String> back = new HashSet<>();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      String name = any(names);
      if (random.nextInt(8) == 0 && !texts.containsKey(name)) back.add(name);
      else if (!back.contains(name)) texts.put(name, any(TEXTS.get(name)));
    }
    return new Settings(texts, back);
  }

  <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }
}
