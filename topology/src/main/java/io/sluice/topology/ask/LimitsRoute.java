package io.sluice.topology.ask;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.event.Field;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.revision.CurrentLimits;
import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.LimitsInForce;
import io.sluice.topology.revision.RevisionStatus;
import io.sluice.topology.revision.RevisionStatus.Standing;
import io.sluice.topology.revision.Scope;
import io.sluice.topology.web.Route;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** The limits in force, and what a key of one has left. */
final class LimitsRoute implements Route {
  private static final String KEY = "key";

  private final SluiceConfig config;
  private final CurrentLimits limits;
  private final KeyAnswers keys;
  private final Kept all;

  LimitsRoute(SluiceConfig config, CurrentLimits limits, KeyAnswers keys, InstantSource clock) {
    this.config = config;
    this.limits = limits;
    this.keys = keys;
    all = new Kept(clock, this::all);
  }

  @Override
  public String path() {
    return "/api/limits";
  }

  @Override
  public Reply reply(Request request) {
    List<String> below = request.below();
    if (!request.method().equals("GET")) return Reply.problem(405, "only GET");
    if (below.isEmpty()) return Reply.json(all.text());
    if (below.size() == 2 && below.get(1).equals(KEY)) {
      String name = below.get(0);
      boolean plain = name.matches("[A-Za-z0-9_-]+"); // as names are, so it can go into a path
      String path = path() + "/" + name + "/" + KEY;
      return plain
          ? keys.about(name, path, request.parameters())
          : Reply.problem(404, "no such limit is in force");
    }
    return Reply.problem(404, "there is " + path() + " and " + path() + "/{limit}/key");
  }

  private String all(long nowMs) {
    LimitsInForce known = limits.known();
    List<RevisionStatus> revisions = known.revisions(nowMs);
    return JsonObject.of(
        json -> {
          json.writeNumberField("asOfMs", nowMs);
          json.writeArrayFieldStart("limits");
          for (Limit each : known.at(nowMs).all()) {
            json.writeStartObject();
            write(known, each, revisions, nowMs, json);
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private void write(
      LimitsInForce known,
      Limit limit,
      List<RevisionStatus> revisions,
      long nowMs,
      JsonGenerator json)
      throws IOException {
    json.writeStringField("limit", limit.name());
    json.writeArrayFieldStart("words");
    for (String each : ConfigReport.words(config, limit)) {
      if (!each.isEmpty()) json.writeString(each);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("key");
    for (Field each : limit.key().fields()) json.writeString(each.toString());
    json.writeEndArray();
    KeyJson.numbers(limit, limit.rule(), json);
    settings(limit.name(), known.texts(limit.name(), nowMs), json);
    KeyJson.because(known.sayingSo(limit.name(), Scope.WHOLE.event(), nowMs), json);
    json.writeArrayFieldStart("planned");
    for (RevisionStatus each : revisions) {
      boolean planned = each.standing() == Standing.PLANNED;
      if (planned && isOf(each.revision(), limit)) planned(each.revision(), json);
    }
    json.writeEndArray();
    json.writeNumberField("overrides", overrides(revisions, limit));
  }

  /** As they are written; and the names of those that stand for a text that is not shown. */
  private void settings(String limit, Map<String, String> texts, JsonGenerator json)
      throws IOException {
    Map<String, String> shown = ConfigReport.shown(config, limit, texts);
    json.writeObjectFieldStart("settings");
    for (Map.Entry<String, String> each : shown.entrySet()) {
      json.writeStringField(each.getKey(), each.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("references");
    for (String name : texts.keySet()) {
      if (!texts.get(name).equals(shown.get(name))) json.writeString(name);
    }
    json.writeEndArray();
  }

  private static void planned(LimitRevision revision, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", revision.id());
    json.writeNumberField("sinceMs", revision.effectiveAtMs());
    json.writeStringField("for", revision.scope().isWhole() ? "" : revision.scope().toString());
    json.writeEndObject();
  }

  private static boolean isOf(LimitRevision revision, Limit limit) {
    return revision.isForEveryLimit() || revision.limit().equals(limit.name());
  }

  private static long overrides(List<RevisionStatus> revisions, Limit limit) {
    return revisions.stream()
        .filter(each -> each.standing() == Standing.IN_FORCE)
        .map(RevisionStatus::revision)
        .filter(each -> !each.scope().isWhole() && isOf(each, limit))
        .count();
  }
}
