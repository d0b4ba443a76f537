package io.sluice.live;

import static java.util.stream.Collectors.joining;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows the other instances, and the differences between their configured limits and the limits of
 * this instance. Not thread-safe.
 */
final class InstanceDigests {
  /*
   * An instance that was killed leaves its record in the topic, and clocks of machines differ. So
   * only the time counts at which this instance reads a record: another instance is known from its
   * next record on, and forgotten three minutes after its last one. Records from before the start
   * of this instance prove nothing, since a running instance writes again within a minute.
   */
  private static final Logger LOG = LoggerFactory.getLogger(InstanceDigests.class);
  static final long MOST_SILENCE_NANOS = 180_000_000_000L;
  private static final int MOST = 1_000;
  private static final int MOST_NAMED = 10;
  private static final int MOST_EXPLAINED = 3;

  private final InstanceRecord own;
  private final LongSupplier nanos;
  private final LimitsReport report;
  private final Map<String, Seen> others = new HashMap<>();
  private Set<String> said = Set.of();
  private boolean differed;

  private record Seen(InstanceRecord instance, long atNanos) {}

  InstanceDigests(InstanceRecord own, LongSupplier nanos, LimitsReport report) {
    this.own = own;
    this.nanos = nanos;
    this.report = report;
  }

  void wrote(InstanceRecord instance) {
    if (instance.id().equals(own.id())) return;
    if (others.size() >= MOST && !others.containsKey(instance.id())) return;
    others.put(instance.id(), new Seen(instance, nanos.getAsLong()));
  }

  void ended(String id) {
    others.remove(id);
  }

  /**
   * Updates the metric and the health note on instances with other limits; logs a difference once.
   */
  void look() {
    long now = nanos.getAsLong();
    others.values().removeIf(each -> now - each.atNanos > MOST_SILENCE_NANOS);
    List<InstanceRecord> differing =
        others.values().stream()
            .map(Seen::instance)
            .filter(each -> !each.digest().equals(own.digest()))
            .toList();
    report.differingInstances(differing.size());
    Set<String> names = new TreeSet<>();
    differing.forEach(each -> names.addAll(differences(each)));
    if (differing.isEmpty()) same();
    else differ(differing, names);
  }

  private void same() {
    if (differed) LOG.info("all instances have the same limits in their files again");
    differed = false;
    said = Set.of();
    report.limitsDiffer("");
  }

  private void differ(List<InstanceRecord> differing, Set<String> names) {
    String which = names.isEmpty() ? "settings that are not shown" : some(names);
    String how = differing.size() + " of " + others.size() + " other instances have other limits";
    report.limitsDiffer(how + ": " + which);
    if (differed && names.equals(said)) return;
    differed = true;
    said = names;
    LOG.warn("{} in their files: {}", how, explained(differing.get(0), names, which));
  }

  private static String some(Set<String> names) {
    String first = names.stream().limit(MOST_NAMED).collect(joining(", "));
    int others = names.size() - MOST_NAMED;
    return others > 0 ? first + " and " + others + " more" : first;
  }

  private String explained(InstanceRecord other, Set<String> names, String which) {
    if (names.isEmpty() || names.size() > MOST_EXPLAINED) return which;
    return names.stream()
        .map(
            name ->
                "%s (here: %s; there: %s)".formatted(name, words(own, name), words(other, name)))
        .collect(joining(", "));
  }

  private static String words(InstanceRecord instance, String limit) {
    return instance.limits().getOrDefault(limit, "none");
  }

  /**
   * Names of the limits that the other instance's record describes differently from this
   * instance's.
   */
  private Set<String> differences(InstanceRecord other) {
    Set<String> names = new TreeSet<>(own.limits().keySet());
    names.addAll(other.limits().keySet());
    names.removeIf(name -> words(own, name).equals(words(other, name)));
    return names;
  }
}
