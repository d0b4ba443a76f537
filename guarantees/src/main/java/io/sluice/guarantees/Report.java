package io.sluice.guarantees;

import io.sluice.guarantees.evidence.Diary;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.promise.Guarantee;
import io.sluice.guarantees.promise.Promises;
import io.sluice.guarantees.scenario.FaultKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints the results of a test run: the verdicts of its events, its faults, and each guarantee. */
final class Report {
  private static final int MOST_SHOWN = 5;

  private final Diary diary;

  Report(Diary diary) {
    this.diary = diary;
  }

  /**
   * Prints the number of events that were allowed, rejected or dead letters, and of those delayed
   * before, for each action.
   */
  void outcomes(History history) {
    Map<String, Long> delayed =
        byAction(
            history.inputs().stream()
                .filter(input -> !history.announcements().of(input).isEmpty())
                .toList());
    diary.say("");
    diary.say("action   events  allowed  rejected  dead  delayed before");
    for (String action : byAction(history.inputs()).keySet()) {
      diary.say(
          String.format(
              Locale.ROOT,
              "%-8s %6d %8d %9d %5d %15d",
              action.equals("-") ? "poison" : action,
              byAction(history.inputs()).get(action),
              byAction(history.allowed()).getOrDefault(action, 0L),
              byAction(history.rejected()).getOrDefault(action, 0L),
              byAction(history.deadLetters()).getOrDefault(action, 0L),
              delayed.getOrDefault(action, 0L)));
    }
    diary.say("");
  }

  /**
   * Prints how often each kind of fault happened; returns whether each kind that the run's modes
   * require happened.
   */
  boolean faults(History history) {
    diary.say(String.format(Locale.ROOT, "%-52s times", "fault"));
    for (FaultKind kind : FaultKind.values()) {
      boolean isOne = FaultKind.of(history.modes()).contains(kind);
      String times = isOne ? Integer.toString(history.faults().count(kind)) : "-";
      diary.say(String.format(Locale.ROOT, "%-52s %5s", kind, times));
    }
    diary.say("");
    List<FaultKind> missing = history.faults().missing(history.modes());
    for (FaultKind kind : missing)
      diary.say("NEVER   " + kind + ": the run proves nothing about it");
    return missing.isEmpty();
  }

  private static Map<String, Long> byAction(List<Kept> records) {
    return records.stream()
        .collect(
            Collectors.groupingBy(
                each -> each.event().action(), TreeMap::new, Collectors.counting()));
  }

  /**
   * Checks every guarantee against the results of the run, prints the violations, and returns
   * whether all guarantees are kept.
   */
  boolean guarantees(History history) {
    boolean kept = true;
    for (Guarantee guarantee : Promises.all()) {
      long cases = guarantee.cases(history);
      List<String> violations = violations(guarantee, history, cases);
      String weakened = guarantee.weakened(history.modes());
      diary.say(
          String.format(
              Locale.ROOT,
              "%-7s %-20s in %d cases%s",
              violations.isEmpty() ? "kept" : "BROKEN",
              guarantee.name(),
              cases,
              weakened.isEmpty() ? "" : " (" + weakened + ")"));
      violations.stream().limit(MOST_SHOWN).forEach(each -> diary.say("          " + each));
      if (violations.size() > MOST_SHOWN) {
        diary.say("          and " + (violations.size() - MOST_SHOWN) + " more");
      }
      kept &= violations.isEmpty();
    }
    return kept;
  }

  private static List<String> violations(Guarantee guarantee, History history, long cases) {
    boolean proven = cases > 0 || !guarantee.weakened(history.modes()).isEmpty();
    if (!proven) return List.of("the run had nothing to show it by");
    return guarantee.violations(history).toList();
  }
}
