package io.sluice.cli.limits;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.PlainText;
import io.sluice.limiter.Quota;
import io.sluice.live.RevisionTopic;
import io.sluice.live.change.ChangeSession;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.Pause;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.server.web.Route;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/** JSON output of {@code limits} and {@code limits history}, one object per line, for scripts. */
final class JsonLines {
  private JsonLines() {}

  static void print(Overview overview, PrintWriter out) {
    for (Overview.Row each : overview.rows()) {
      out.print(PlainText.json(Route.object(json -> write(each, overview.words(each), json))));
    }
  }

  private static void write(Overview.Row row, List<String> words, JsonGenerator json)
      throws IOException {
    json.writeStringField("limit", row.limit());
    json.writeBooleanField("inForce", row.inForce().isPresent());
    if (row.inForce().isPresent()) write(row.inForce().get(), words, json);
    for (LimitRevision each : row.saying()) {
      json.writeStringField("revision", each.id());
      json.writeNumberField("since", each.effectiveAtMs());
      json.writeStringField("by", each.by());
    }
    if (!row.pauses().isEmpty()) writePauses(row.pauses(), json);
    json.writeArrayFieldStart("planned");
    for (LimitRevision each : row.planned()) json.writeString(each.id());
    json.writeEndArray();
    json.writeNumberField("overrides", row.overrides());
  }

  private static void writePauses(List<Pause> pauses, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("pauses");
    for (Pause each : pauses) {
      json.writeStartObject();
      json.writeStringField("limit", each.limit());
      if (each.hasEnd()) json.writeNumberField("untilMs", each.untilMs());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(Limit limit, List<String> words, JsonGenerator json)
      throws IOException {
    Quota quota = limit.rule().quota();
    json.writeNumberField("permits", quota.permits());
    if (quota.unit() == CalendarUnit.NONE) {
      json.writeNumberField("periodMs", quota.period().toMillis());
    } else {
      json.writeStringField("period", quota.unit().title());
      json.writeStringField("zone", limit.rule().zone().getId());
    }
    if (limit.rule().algorithm().hasBurst()) json.writeNumberField("burst", quota.burst());
    long blockMicros = limit.rule().blockMicros();
    if (blockMicros > 0) json.writeNumberField("blockMs", blockMicros / 1_000);
    json.writeArrayFieldStart("words");
    for (String each : words) if (!each.isEmpty()) json.writeString(each);
    json.writeEndArray();
  }

  static void print(
      List<ChangeSession.Entry> entries,
      List<RevisionTopic.Unreadable> unreadable,
      PrintWriter out) {
    entries.forEach(each -> out.print(PlainText.json(Route.object(each::write))));
    unreadable.forEach(
        each -> out.print(PlainText.json(Route.object(json -> ChangeSession.write(each, json)))));
  }

  /** Prints the revisions without their status, in the file format of {@code simulate --limits}. */
  static void export(List<ChangeSession.Entry> entries, PrintWriter out) {
    entries.forEach(each -> out.println(PlainText.json(RevisionReader.json(each.revision()))));
  }
}
