package io.sluice.server.ask;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionStatus;
import io.sluice.rules.revision.RevisionStatus.Standing;
import io.sluice.rules.revision.Scope;
import io.sluice.server.web.Route;
import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.watch.Watch;
import java.io.IOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * List of the limits in force as JSON, with the event counts of this instance or of all instances.
 * Thread-safe.
 */
final class LimitsList {
  static final String PATH = "/api/limits";

  /** Maximum number of planned revisions that are shown for one limit. */
  private static final int MOST_PLANNED = 20;

  private final SluiceConfig config;
  private final CurrentLimits limits;
  private final Watch watch;
  private final CoalescedFetch<InstanceResponses<LastMinute>> lately;
  private final InstantSource clock;
  private final ThrottledCache<Known> known;

  LimitsList(
      SluiceConfig config,
      CurrentLimits limits,
      Watch watch,
      OtherInstances others,
      InstantSource clock) {
    this.config = config;
    this.limits = limits;
    this.watch = watch;
    lately = new CoalescedFetch<>(clock, () -> others.askAll(PATH, Map.of(), LastMinute::read));
    this.clock = clock;
    known = new ThrottledCache<>(clock, this::known);
  }

  /** Cached slow part of the list: each limit's fields as JSON, without event counts. */
  private record Known(long asOfMs, Map<Limit, String> fields) {}

  /** Returns the list with the event counts of this instance alone. */
  String here(boolean mayWrite) {
    return text(mayWrite, LastMinute.of(watch, clock.millis()), InstanceResponses.nothing());
  }

  /**
   * Returns the list with the event counts of all instances. The counts of other instances are at
   * most about two seconds old.
   */
  String everywhere(boolean mayWrite) throws InterruptedException, ExecutionException {
    InstanceResponses<LastMinute> all = lately.value().get();
    LastMinute minute = LastMinute.of(watch, clock.millis());
    all.said().forEach(minute::add);
    return text(mayWrite, minute, all);
  }

  private String text(boolean mayWrite, LastMinute minute, InstanceResponses<LastMinute> from) {
    Known all = known.value();
    return Route.object(
        json -> {
          json.writeNumberField("asOfMs", all.asOfMs);
          json.writeBooleanField("writes", config.http().writes() && mayWrite);
          json.writeStringField("access", mayWrite ? "write" : "read");
          json.writeArrayFieldStart("limits");
          for (Map.Entry<Limit, String> each : all.fields.entrySet()) {
            json.writeStartObject();
            json.writeRaw(each.getValue());
            json.writeRaw(',');
            minute.write(each.getKey(), json);
            json.writeEndObject();
          }
          json.writeEndArray();
          InstanceResponses.write(from.answered(), from.unanswered(), json);
        });
  }

  private Known known(long nowMs) {
    LimitsInForce inForce = limits.known();
    List<RevisionStatus> revisions = inForce.revisions(nowMs);
    Map<Limit, String> fields = new LinkedHashMap<>();
    for (Limit each : inForce.at(nowMs).all()) {
      String object = Route.object(json -> write(inForce, each, revisions, nowMs, json));
      fields.put(each, object.substring(1, object.lastIndexOf('}')));
    }
    return new Known(nowMs, fields);
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
    planned(revisions, limit, json);
    json.writeNumberField("overrides", overrides(revisions, limit));
  }

  /**
   * Writes the settings of a limit as the configuration has them, and the names of the settings
   * whose value is shown as a reference to a config provider.
   */
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

  /**
   * Writes the planned revisions of a limit that take effect first, and the number of all planned
   * ones.
   */
  private static void planned(List<RevisionStatus> revisions, Limit limit, JsonGenerator json)
      throws IOException {
    List<LimitRevision> planned =
        revisions.stream()
            .filter(each -> each.standing() == Standing.PLANNED)
            .map(RevisionStatus::revision)
            .filter(each -> isOf(each, limit))
            .toList();
    json.writeArrayFieldStart("planned");
    for (LimitRevision each : planned.subList(0, Math.min(MOST_PLANNED, planned.size()))) {
      planned(each, json);
    }
    json.writeEndArray();
    json.writeNumberField("plannedCount", planned.size());
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
