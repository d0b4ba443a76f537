package io.sluice.cli.ask;

import io.sluice.cli.limits.Columns;
import io.sluice.live.change.RevisionFormatter;
import java.io.PrintWriter;
import java.util.List;

/** Table of a key's used and remaining permits under each limit. */
record Answers(List<Tree> answers) {
  void print(PrintWriter out) {
    Columns columns =
        new Columns(
            "limit",
            "for",
            "verdict",
            "used",
            "remaining",
            "retry after",
            "reset after",
            "blocked until",
            "waiting",
            "next release",
            "quota",
            "source",
            "answered by");
    for (Tree each : answers) columns.row(cells(each));
    columns.print(out);
  }

  private static List<String> cells(Tree answer) {
    Tree waiting = answer.object("waiting");
    return List.of(
        answer.text("limit"),
        RevisionFormatter.plain(answer.text("match")),
        answer.text("verdict") + (answer.text("mode").equals("shadow") ? " (shadow)" : ""),
        answer.text("used"),
        answer.text("remaining"),
        period(answer.text("retryAfterMs")),
        period(answer.text("resetAfterMs")),
        blockedUntil(answer),
        waiting.text("count") + (waiting.text("more").equals("true") ? " or more" : ""),
        time(waiting.text("nextReleaseMs")),
        quota(answer.object("quota")),
        because(answer),
        answeredBy(answer.object("answeredBy")));
  }

  private static String quota(Tree quota) {
    String period = quota.text("period");
    String per = period.isEmpty() ? period(quota.text("periodMs")) : period;
    String burst = quota.text("burst");
    return quota.text("permits") + " in " + per + (burst.isEmpty() ? "" : ", burst " + burst);
  }

  private static String because(Tree answer) {
    List<Tree> revisions = answer.list("revisions");
    if (revisions.isEmpty()) return "the file";
    Tree last = revisions.get(revisions.size() - 1);
    String by = last.text("by").isEmpty() ? "" : " by " + last.text("by");
    String note = last.text("note").isEmpty() ? "" : ": " + last.text("note");
    return RevisionFormatter.plain(
        answer.text("because") + " " + RevisionFormatter.id(last.text("id")) + by + note);
  }

  private static String blockedUntil(Tree answer) {
    String until = time(answer.text("blockedUntilMs"));
    boolean forGood = until.isEmpty() && answer.text("verdict").equals("denied");
    return forGood ? "no end" : until;
  }

  private static String answeredBy(Tree by) {
    String behind = by.text("behind");
    String instance = RevisionFormatter.plain(by.text("instance"));
    return (by.text("role") + " " + instance).strip()
        + (behind.isEmpty() ? "" : ", " + behind + " changes behind");
  }

  private static String period(String millis) {
    return millis.isEmpty() ? "" : RevisionFormatter.period(Long.parseLong(millis));
  }

  private static String time(String millis) {
    return millis.isEmpty() ? "" : RevisionFormatter.time(Long.parseLong(millis));
  }
}
