package io.sluice.cli.ask;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.cli.limits.Columns;
import io.sluice.live.change.RevisionFormatter;
import java.io.PrintWriter;
import java.util.List;

/** Table of a key's used and remaining permits under each limit. */
record Answers(List<JsonNode> answers) {
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
    for (JsonNode each : answers) columns.row(cells(each));
    columns.print(out);
  }

  private static List<String> cells(JsonNode answer) {
    JsonNode waiting = answer.path("waiting");
    return List.of(
        text(answer, "limit"),
        RevisionFormatter.plain(text(answer, "match")),
        text(answer, "verdict")
            + (text(answer, "mode").equals("shadow") ? " (shadow)" : "")
            + closedUntil(answer)
            + pausedUntil(answer),
        text(answer, "used"),
        text(answer, "remaining"),
        period(text(answer, "retryAfterMs")),
        period(text(answer, "resetAfterMs")),
        blockedUntil(answer),
        text(waiting, "count") + (text(waiting, "more").equals("true") ? " or more" : ""),
        nextRelease(waiting),
        quota(answer.path("quota")),
        because(answer),
        answeredBy(answer.path("answeredBy")));
  }

  private static String text(JsonNode object, String field) {
    return object.path(field).asText("");
  }

  /** Formats the time of the next release; "about" says that it is an estimate. */
  private static String nextRelease(JsonNode waiting) {
    String at = time(text(waiting, "nextReleaseMs"));
    String before = text(waiting, "before");
    String others = before.isEmpty() || before.equals("0") ? "" : ", after " + before + " others";
    if (at.isEmpty()) return "";
    return text(waiting, "estimate").equals("true") ? "about " + at + others : at;
  }

  private static String quota(JsonNode quota) {
    String period = text(quota, "period");
    String per = period.isEmpty() ? period(text(quota, "periodMs")) : period;
    String burst = text(quota, "burst");
    return text(quota, "permits") + " in " + per + (burst.isEmpty() ? "" : ", burst " + burst);
  }

  private static String because(JsonNode answer) {
    JsonNode revisions = answer.path("revisions");
    if (revisions.isEmpty()) return "the file";
    JsonNode last = revisions.get(revisions.size() - 1);
    String by = text(last, "by").isEmpty() ? "" : " by " + text(last, "by");
    String note = text(last, "note").isEmpty() ? "" : ": " + text(last, "note");
    return RevisionFormatter.plain(
        text(answer, "because") + " " + RevisionFormatter.id(text(last, "id")) + by + note);
  }

  private static String closedUntil(JsonNode answer) {
    String until = time(text(answer, "closedUntilMs"));
    return until.isEmpty() ? "" : ", closed until " + until;
  }

  /** Formats the end of the pause that ends last; one whose end is not known ends when resumed. */
  private static String pausedUntil(JsonNode answer) {
    String last = "";
    for (JsonNode each : answer.path("pauses")) {
      String until = text(each, "untilMs");
      if (until.isEmpty()) return ", paused until resumed";
      if (last.isEmpty() || Long.parseLong(until) > Long.parseLong(last)) last = until;
    }
    return last.isEmpty() ? "" : ", paused until " + time(last);
  }

  private static String blockedUntil(JsonNode answer) {
    String until = time(text(answer, "blockedUntilMs"));
    boolean forGood = until.isEmpty() && text(answer, "verdict").equals("denied");
    return forGood ? "no end" : until;
  }

  private static String answeredBy(JsonNode by) {
    String behind = text(by, "behind");
    String instance = RevisionFormatter.plain(text(by, "instance"));
    return (text(by, "role") + " " + instance).strip()
        + (behind.isEmpty() ? "" : ", " + behind + " changes behind");
  }

  private static String period(String millis) {
    return millis.isEmpty() ? "" : RevisionFormatter.period(Long.parseLong(millis));
  }

  private static String time(String millis) {
    return millis.isEmpty() ? "" : RevisionFormatter.time(Long.parseLong(millis));
  }
}
