package io.sluice.live.change;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.live.RevisionTopic;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.rules.revision.RevisionStatus;
import java.io.IOException;

/** Writer of revisions and their status as fields of JSON objects. */
final class HistoryJson {
  private HistoryJson() {}

  static void write(ChangeSession.Entry entry, JsonGenerator json) throws IOException {
    json.writeFieldName("revision");
    json.writeRawValue(RevisionReader.json(entry.revision()));
    json.writeStringField("standing", entry.standing());
    json.writeNumberField("writtenAt", entry.written().firstWrittenAtMs());
    json.writeNumberField("lateMs", entry.lateMs());
    json.writeArrayFieldStart("refusals");
    for (RevisionStatus.Refusal each : entry.status().refusals()) {
      json.writeStartObject();
      json.writeNumberField("from", each.fromMs());
      if (each.untilMs() != LimitRevision.FOR_GOOD) json.writeNumberField("until", each.untilMs());
      json.writeStringField("reason", each.reason());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  static void write(RevisionTopic.Unreadable record, JsonGenerator json) throws IOException {
    json.writeStringField("id", record.id());
    json.writeStringField("standing", "unreadable");
    json.writeNumberField("offset", record.offset());
    json.writeNumberField("writtenAt", record.atMs());
    json.writeStringField("reason", record.problem());
  }
}
