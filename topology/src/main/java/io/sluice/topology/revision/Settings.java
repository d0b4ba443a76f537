package io.sluice.topology.revision;

import static java.util.stream.Collectors.toUnmodifiableMap;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a revision sets.
 *
 * @param texts by setting, as under {@code sluice.limit.N.}
 * @param back settings that go back to what holds without the revisions of the same scope
 */
public record Settings(Map<String, String> texts, Set<String> back) {
  public static final String VERDICT = "verdict";
  public static final String RESET = "reset";
  public static final String ENABLED = "enabled";
  private static final String EXCEEDED = "exceeded";

  public Settings {
    texts =
        texts.entrySet().stream()
            .collect(toUnmodifiableMap(Map.Entry::getKey, each -> each.getValue().trim()));
    back = Set.copyOf(back);
  }

  /** Whether events are to wait. */
  boolean delays() {
    return texts.getOrDefault(EXCEEDED, "").equalsIgnoreCase("delay");
  }

  /** All that are named, in the order of their names. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>(texts.keySet());
    names.addAll(back);
    return names;
  }

  /** Whether buckets begin anew at the instant from which the revision holds. */
  public boolean resets() {
    return texts.containsKey(RESET);
  }

  /** What a scope's revisions have set, and then these; a reset is no setting that lasts. */
  public Map<String, String> over(Map<String, String> own) {
    if (own.isEmpty() && !resets()) return texts;
    Map<String, String> both = new TreeMap<>(own);
    both.putAll(texts);
    both.keySet().removeAll(back);
    both.remove(RESET);
    return Map.copyOf(both);
  }
}
