package io.sluice.cli.redrive;

import io.sluice.cli.common.Table;
import io.sluice.cli.redrive.LetterFate.Cause;
import io.sluice.limiter.PlainText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts of dead letters by reason and fate, with some examples of letters that were left. */
final class RedriveResult {
  private static final String ALL = "(all)";
  private static final int MOST_EXAMPLES = 3;

  private final Map<String, Row> rows = new TreeMap<>();
  private final Map<Cause, List<String>> examples = new EnumMap<>(Cause.class);
  private long before;
  private long sent;

  private static final class Row {
    private final Map<Cause, Long> left = new EnumMap<>(Cause.class);
    private long sent;

    long left(Cause cause) {
      return left.getOrDefault(cause, 0L);
    }

    long letters() {
      return sent + left.values().stream().mapToLong(Long::longValue).sum();
    }

    void add(Row other) {
      sent += other.sent;
      other.left.forEach((cause, count) -> left.merge(cause, count, Long::sum));
    }
  }

  /** Counts a letter that an earlier run has sent. */
  void countSentBefore() {
    before++;
  }

  void countSent(String reason) {
    row(reason).sent++;
    sent++;
  }

  /**
   * Counts a letter that was left.
   *
   * @param place position of the letter
   * @param why may quote text of any producer
   */
  void countLeft(String reason, Cause cause, String place, String why) {
    row(reason).left.merge(cause, 1L, Long::sum);
    List<String> some = examples.computeIfAbsent(cause, none -> new ArrayList<>());
    if (some.size() < MOST_EXAMPLES) some.add(PlainText.message(place + ": " + why));
  }

  private Row row(String reason) {
    return rows.computeIfAbsent(reason, none -> new Row());
  }

  long sent() {
    return sent;
  }

  private Row total() {
    Row all = new Row();
    rows.values().forEach(all::add);
    return all;
  }

  /**
   * Prints the table, then examples and the next step for each cause.
   *
   * @param isDryRun whether letters were only counted and not sent
   */
  void print(PrintWriter out, boolean isDryRun) {
    printTable(out, isDryRun);
    if (before > 0) out.printf("%,d more were sent by earlier runs%n", before);
    for (Cause cause : Cause.values()) printLeft(out, cause);
    if (isDryRun) out.println("This was a dry run: nothing was sent.");
    if (rows.containsKey(LetterFilter.UNKNOWN)) {
      out.println(
          "Letters without a known reason have none in their headers: --reason does not find them.");
    }
    out.flush();
  }

  private void printTable(PrintWriter out, boolean isDryRun) {
    Table table =
        new Table()
            .row(
                "reason",
                "letters",
                isDryRun ? "to send" : "sent",
                "still unreadable",
                "left out",
                "other");
    rows.forEach((reason, row) -> add(table, reason, row));
    if (rows.size() != 1) add(table, ALL, total());
    table.print(out);
  }

  private static void add(Table table, String reason, Row row) {
    table.row(
        reason,
        row.letters(),
        row.sent,
        row.left(Cause.UNREADABLE),
        row.left(Cause.LEFT_OUT),
        row.left(Cause.OTHER));
  }

  private void printLeft(PrintWriter out, Cause cause) {
    long count = total().left(cause);
    if (count == 0) return;
    out.println();
    out.printf("%,d %s%n", count, nextStep(cause));
    examples.get(cause).forEach(each -> out.println("  " + each));
    if (count > MOST_EXAMPLES) out.println("  ...");
  }

  private static String nextStep(Cause cause) {
    return switch (cause) {
      case UNREADABLE ->
          "still unreadable: the application would make them dead letters again. Mend"
              + " sluice.event.* or the schema, restart the application, and run redrive again:";
      case LEFT_OUT ->
          "left out: parts were too large for the topic of dead letters. Publish the original"
              + " records again, while their topics keep them:";
      case OTHER -> "other: they are not sent to an input topic:";
    };
  }
}
