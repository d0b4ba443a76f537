package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.CancelLog.LoggedOrder;
import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Orders of a run to cancel events in line, and the events that ended as cancelled. */
final class Cancels {
  private final History history;
  private final Map<String, List<LoggedOrder>> byUser = new HashMap<>();

  Cancels(History history) {
    this.history = history;
    for (LoggedOrder each : history.cancels().all())
      byUser.computeIfAbsent(each.order().user(), user -> new ArrayList<>()).add(each);
  }

  static boolean isCancelled(Kept end) {
    return end.header(Verdicts.REASON).equals(Verdicts.CANCELLED);
  }

  /** Whether an event in line ended as cancelled. */
  boolean isCancelled(TimeInLine event) {
    return history.endsOf(event.input()).stream().anyMatch(Cancels::isCancelled);
  }

  /** Returns the orders that name an event, in the order in which they were given. */
  List<LoggedOrder> naming(Described event) {
    return byUser.getOrDefault(event.user(), List.of()).stream()
        .filter(each -> each.order().names(event))
        .toList();
  }

  /** Returns the events that ended as cancelled. */
  Stream<Kept> cancelled() {
    return history.ends().filter(Cancels::isCancelled);
  }

  /** Returns violations: events that ended as cancelled without an order that names them. */
  Stream<String> unordered() {
    LeftBy left = new LeftBy(history.rejected());
    return cancelled()
        .filter(
            end -> naming(end.event()).stream().noneMatch(each -> each.atMs() <= leftBy(left, end)))
        .map(end -> end + " was cancelled, though no order had named it");
  }

  private static long leftBy(LeftBy left, Kept end) {
    return end.header(Verdicts.VERDICT).equals("rejected") ? left.of(end) : Long.MAX_VALUE;
  }
}
