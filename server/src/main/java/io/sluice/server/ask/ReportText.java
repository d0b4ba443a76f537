package io.sluice.server.ask;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.LimitKey;
import io.sluice.topology.watch.Top;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** Writer of a report of the keys with most events as JSON. */
final class ReportText {
  private static final JsonFactory JSON = new JsonFactory();

  private ReportText() {}

  static String json(Report report) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("by", report.by());
      json.writeNumberField("asOfMs", report.asOfMs());
      json.writeArrayFieldStart("limits");
      for (Report.OfLimit each : report.limits()) write(json, each);
      json.writeEndArray();
      InstanceResponses.write(report.answered(), report.unanswered(), json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write JSON to memory", e);
    }
    return text.append('\n').toString();
  }

  private static void write(JsonGenerator json, Report.OfLimit each) throws IOException {
    Top top = each.top();
    json.writeStartObject();
    json.writeStringField("limit", each.limit());
    json.writeBooleanField("shadow", each.shadow());
    json.writeArrayFieldStart("keyFields");
    for (String field : each.fields()) json.writeString(field);
    json.writeEndArray();
    json.writeBooleanField("watched", each.watched());
    json.writeNumberField("windowMs", top.windowMs());
    json.writeNumberField("events", top.events());
    json.writeNumberField("othersAtMost", top.othersAtMost());
    LimitKey fields = new LimitKey(each.fields().stream().map(Field::parse).toList());
    json.writeArrayFieldStart("keys");
    for (Top.Heavy heavy : top.keys()) write(json, fields, heavy);
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, LimitKey fields, Top.Heavy heavy)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("key", heavy.key());
    json.writeNumberField("atLeast", heavy.atLeast());
    json.writeNumberField("atMost", heavy.atMost());
    List<String> values = heavy.isCut() ? List.of() : fields.values(heavy.key());
    if (values.size() == fields.fields().size()) {
      json.writeObjectFieldStart("fields");
      for (int i = 0; i < values.size(); i++) {
        json.writeStringField(fields.fields().get(i).toString(), values.get(i));
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }
}
