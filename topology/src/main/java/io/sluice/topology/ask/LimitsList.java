package io.sluice.topology.ask;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.event.Field;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Verdict;
import io.sluice.topology.revision.CurrentLimits;
import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.LimitsInForce;
import io.sluice.topology.revision.RevisionStatus;
import io.sluice.topology.revision.RevisionStatus.Standing;
import io.sluice.topology.revision.Scope;
import io.sluice.topology.watch.Watch;
import io.sluice.topology.web.Route;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The limits in force, as a JSON text. Safe for many threads. */
final class LimitsList {
  private static final int STEPS_A_MINUTE = 6;
  private static final long[] NONE = {};

  private final SluiceConfig config;
  private final CurrentLimits limits;
  private final Watch watch;

  LimitsList(SluiceConfig config, CurrentLimits limits, Watch watch) {
    this.config = config;
    this.limits = limits;
    this.watch = watch;
  }

  /** All of them at an instant. */
  String text(long nowMs) {
    Map<String, Watch.Line> counts = counts(nowMs);
    LimitsInForce known = limits.known();
    List<RevisionStatus> revisions = known.revisions(nowMs);
    return Route.object(
        json -> {
          json.writeNumberField("asOfMs", nowMs);
          json.writeBooleanField("writes", config.http().writes());
          json.writeArrayFieldStart("limits");
          for (Limit each : known.at(nowMs).all()) {
            json.writeStartObject();
            write(known, each, revisions, nowMs, json);
            lastMinute(Optional.ofNullable(counts.get(name(each))), json);
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

  /** A limit that is not enforced has counts of its own. */
  private Map<String, Watch.Line> counts(long nowMs) {
    Map<String, Watch.Line> counts = new HashMap<>();
    for (Watch.Line each : watch.history(nowMs).lines()) {
      counts.put(name(each.limit(), each.shadow()), each);
    }
    return counts;
  }

  private static String name(Limit limit) {
    return name(limit.name(), limit.rule().shadow());
  }

  private static String name(String limit, boolean shadow) {
    return (shadow ? "shadow " : "") + limit;
  }

  /** Those of this instance, in steps of ten seconds of which the last goes on. */
  private static void lastMinute(Optional<Watch.Line> line, JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("lastMinute");
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      long[] steps = line.map(each -> each.counts().get(kind)).orElse(NONE);
      long sum = Arrays.stream(steps).skip(Math.max(0, steps.length - STEPS_A_MINUTE)).sum();
      json.writeNumberField(kind.text, sum);
    }
    json.writeEndObject();
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
