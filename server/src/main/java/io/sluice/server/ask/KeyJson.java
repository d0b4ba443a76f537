package io.sluice.server.ask;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.TreatedLimit.Treatment;
import io.sluice.server.web.Route;
import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.delay.KeyOrder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Writer of the API's response about one key of a limit as JSON. */
final class KeyJson {
  private static final String DENIED = "denied";

  private KeyJson() {}

  /**
   * Returns the whole response about a key.
   *
   * @param match text that says which events the limit is for
   */
  static String of(KeyQuery question, String match, KeyStatus found, String instance) {
    return Route.object(
        json -> {
          json.writeStringField("limit", question.limit().name());
          json.writeStringField("match", match);
          json.writeStringField("applies", Keys.nameOf(question.applies()));
          json.writeObjectFieldStart("key");
          for (Map.Entry<String, String> each : question.key().entrySet()) {
            json.writeStringField(each.getKey(), each.getValue());
          }
          json.writeEndObject();
          json.writeStringField("verdict", verdict(question, found.judgement().decision()));
          numbers(question.limit(), question.rule(), json);
          because(question.because(), json);
          left(question, found, json);
          waiting(found.waiting(), json);
          json.writeNumberField("asOfMs", found.judgement().nowMicros() / 1_000);
          answeredBy(found, instance, json);
        });
  }

  /** Verdict that a new event of the key with cost 1 would get now. */
  private static String verdict(KeyQuery question, Decision decision) {
    boolean watches = question.rule().shadow();
    if (question.treatedLimit().treatment() == Treatment.ALLOW) return "exempt";
    if (question.treatedLimit().treatment() == Treatment.REJECT && !watches) return DENIED;
    if (decision instanceof Decision.Conforming) return "allowed";
    return decision instanceof Decision.Waiting ? "delayed" : "rejected";
  }

  /** Writes the mode, algorithm, backend and quota of a limit. */
  static void numbers(Limit limit, Rule rule, JsonGenerator json) throws IOException {
    Quota quota = rule.quota();
    json.writeStringField("mode", rule.shadow() ? "shadow" : "enforce");
    json.writeStringField("algorithm", ConfigReport.name(rule.algorithm()));
    json.writeStringField("backend", Keys.nameOf(limit.backend()));
    json.writeObjectFieldStart("quota");
    json.writeNumberField("permits", quota.permits());
    if (quota.unit() == CalendarUnit.NONE) {
      json.writeNumberField("periodMs", quota.period().toMillis());
    } else {
      json.writeStringField("period", quota.unit().title());
      json.writeStringField("zone", rule.zone().getId());
    }
    if (rule.algorithm().hasBurst()) json.writeNumberField("burst", quota.burst());
    json.writeEndObject();
  }

  /** Writes the revisions that decide the settings; none if the configuration file decides them. */
  static void because(List<LimitRevision> revisions, JsonGenerator json) throws IOException {
    json.writeStringField("because", reason(revisions));
    json.writeArrayFieldStart("revisions");
    for (LimitRevision each : revisions) {
      json.writeStartObject();
      json.writeStringField("id", each.id());
      json.writeStringField("for", each.scope().isWhole() ? "" : each.scope().toString());
      json.writeNumberField("sinceMs", each.effectiveAtMs());
      boolean ends = each.untilMs() != LimitRevision.FOR_GOOD;
      JsonObject.number(
          json, "untilMs", ends ? OptionalLong.of(each.untilMs()) : OptionalLong.empty());
      json.writeStringField("by", each.by());
      json.writeStringField("note", each.note());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static String reason(List<LimitRevision> revisions) {
    if (revisions.isEmpty()) return "file";
    boolean own = revisions.stream().anyMatch(each -> !each.scope().isWhole());
    return own ? "override" : "revision";
  }

  private static void left(KeyQuery question, KeyStatus found, JsonGenerator json)
      throws IOException {
    Decision decision = found.judgement().decision();
    boolean denied = verdict(question, decision).equals(DENIED);
    boolean blocked = decision instanceof Decision.Blocked;
    long remaining = decision.remaining();
    JsonObject.number(
        json, "used", blocked ? OptionalLong.empty() : used(question.rule(), remaining));
    json.writeNumberField("remaining", remaining);
    OptionalLong deniedUntilMs = question.deniedUntilMs();
    JsonObject.number(
        json,
        "retryAfterMs",
        denied ? after(deniedUntilMs, question.nowMs()) : retryAfterMs(decision));
    json.writeNumberField("resetAfterMs", millis(decision.resetAfterMicros()));
    JsonObject.number(
        json, "blockedUntilMs", denied ? deniedUntilMs : blockedUntilMs(found.judgement()));
  }

  private static OptionalLong after(OptionalLong untilMs, long nowMs) {
    return untilMs.isEmpty() ? untilMs : OptionalLong.of(Math.max(0, untilMs.getAsLong() - nowMs));
  }

  private static OptionalLong blockedUntilMs(Judgement judgement) {
    return judgement.decision() instanceof Decision.Blocked until
        ? OptionalLong.of(millis(judgement.nowMicros() + until.retryAfterMicros()))
        : OptionalLong.empty();
  }

  private static OptionalLong used(Rule rule, long remaining) {
    if (rule.algorithm().admitsOnce()) return OptionalLong.of(1 - Math.min(1, remaining));
    Quota quota = rule.quota();
    long most = rule.algorithm().hasBurst() ? quota.burst() : quota.permits();
    return OptionalLong.of(Math.max(0, most - remaining));
  }

  /**
   * Wait in milliseconds until an event of cost 1 may conform; empty if no wait is known to help.
   */
  private static OptionalLong retryAfterMs(Decision decision) {
    if (decision instanceof Decision.Conforming) return OptionalLong.of(0);
    if (decision instanceof Decision.Waiting each)
      return OptionalLong.of(millis(each.waitMicros()));
    if (decision instanceof Decision.NonConforming each) {
      return OptionalLong.of(millis(each.retryAfterMicros()));
    }
    return decision instanceof Decision.Blocked each
        ? OptionalLong.of(millis(each.retryAfterMicros()))
        : OptionalLong.empty();
  }

  /**
   * Converts microseconds to milliseconds, rounded up as in the headers, so that this wait is
   * always long enough.
   */
  private static long millis(long micros) {
    return (micros + 999) / 1_000;
  }

  private static void waiting(List<KeyOrder.Waiting> waiting, JsonGenerator json)
      throws IOException {
    if (waiting.isEmpty()) {
      json.writeNullField("waiting");
      return;
    }
    KeyOrder.Waiting all = waiting.get(0);
    json.writeObjectFieldStart("waiting");
    json.writeNumberField("count", all.count());
    json.writeBooleanField("more", all.more());
    boolean any = all.count() > 0;
    JsonObject.number(
        json, "nextReleaseMs", any ? OptionalLong.of(all.nextMs()) : OptionalLong.empty());
    json.writeEndObject();
  }

  private static void answeredBy(KeyStatus found, String instance, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart("answeredBy");
    json.writeStringField("instance", instance);
    json.writeStringField("role", Keys.nameOf(found.role()));
    JsonObject.number(json, "behind", found.behind());
    json.writeEndObject();
  }
}
