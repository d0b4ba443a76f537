package io.sluice.cli;

import io.sluice.cli.common.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Prints the verdicts of the demo: totals for each limit, and some events of each limit. */
final class DemoReport {
  private static final int LINES = 8;

  private final PrintWriter out;
  private final List<DemoVerdict> verdicts;

  DemoReport(PrintWriter out, List<DemoVerdict> verdicts) {
    this.out = out;
    this.verdicts = verdicts;
  }

  void print(int published) {
    out.println();
    totals();
    for (String limit : byLimit().keySet()) firstLines(limit);
    out.println();
    out.println(summary(published));
    out.flush();
  }

  private Map<String, List<DemoVerdict>> byLimit() {
    return verdicts.stream()
        .collect(Collectors.groupingBy(DemoVerdict::limit, TreeMap::new, Collectors.toList()));
  }

  private void totals() {
    Table table = new Table().row("limit", "events", "allowed", "rejected");
    byLimit()
        .forEach(
            (limit, all) ->
                table.row(
                    limit.isEmpty() ? "(none matched)" : limit,
                    all.size(),
                    allowed(all),
                    rejected(all)));
    table.row("(all)", verdicts.size(), allowed(verdicts), rejected(verdicts)).print(out);
  }

  /**
   * Prints the events around the first rejected event of the user with the most rejections under
   * the limit.
   */
  private void firstLines(String limit) {
    List<DemoVerdict> all = byLimit().get(limit);
    String user = mostRejected(all);
    List<DemoVerdict> ofUser =
        all.stream()
            .filter(each -> each.field("userId").equals(user))
            .sorted(DemoReport::byId)
            .toList();
    int firstRejected = 0;
    while (firstRejected < ofUser.size() && ofUser.get(firstRejected).isAllowed()) firstRejected++;
    int from = Math.max(0, firstRejected - LINES / 2);
    out.println();
    Table table =
        new Table().row("event", "user", "action", "verdict", "remaining", "retry after", "reason");
    ofUser.stream().skip(from).limit(LINES).forEach(each -> line(table, each));
    table.print(out);
  }

  private static int byId(DemoVerdict one, DemoVerdict other) {
    String a = one.field("eventId");
    String b = other.field("eventId");
    return a.length() != b.length() ? Integer.compare(a.length(), b.length()) : a.compareTo(b);
  }

  private static String mostRejected(List<DemoVerdict> all) {
    Map<String, Long> rejected =
        all.stream()
            .filter(DemoVerdict::isRejected)
            .collect(
                Collectors.groupingBy(
                    each -> each.field("userId"), TreeMap::new, Collectors.counting()));
    return rejected.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(all.get(0).field("userId"));
  }

  private static void line(Table table, DemoVerdict each) {
    table.row(
        each.field("eventId"),
        each.field("userId"),
        each.field("action"),
        each.header("sluice-verdict"),
        each.header("sluice-remaining"),
        each.retryAfter(),
        each.header("sluice-reason"));
  }

  /** Whether there are as many verdicts as published events, and each is allowed or rejected. */
  boolean addsUp(int published) {
    return allowed(verdicts) + rejected(verdicts) == published && verdicts.size() == published;
  }

  private String summary(int published) {
    return "%d published = %d allowed + %d rejected%s"
        .formatted(
            published,
            allowed(verdicts),
            rejected(verdicts),
            addsUp(published) ? "" : ": these numbers do not add up");
  }

  private static long allowed(List<DemoVerdict> all) {
    return all.stream().filter(DemoVerdict::isAllowed).count();
  }

  private static long rejected(List<DemoVerdict> all) {
    return all.stream().filter(DemoVerdict::isRejected).count();
  }
}
