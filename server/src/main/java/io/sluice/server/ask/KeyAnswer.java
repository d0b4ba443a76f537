package io.sluice.server.ask;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.sluice.limiter.CalendarUnit;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.Pause;
import io.sluice.rules.revision.TreatedLimit.Treatment;
import io.sluice.topology.config.ConfigReport;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The API's response about one key of a limit.
 *
 * @param match text that says which events the limit is for
 * @param waiting null if the key's waiting events are not known
 */
record KeyAnswer(
    String limit,
    String match,
    String applies,
    Map<String, String> key,
    String verdict,
    @JsonUnwrapped Numbers numbers,
    @JsonUnwrapped Source source,
    @JsonUnwrapped Usage usage,
    KeyWaiting waiting,
    long asOfMs,
    AnsweredBy answeredBy) {
  private static final String DENIED = "denied";

  /** Mode, algorithm, backend and quota of a limit. */
  record Numbers(String mode, String algorithm, String backend, QuotaFields quota) {
    static Numbers of(Limit limit, Rule rule) {
      return new Numbers(
          rule.shadow() ? "shadow" : "enforce",
          ConfigReport.name(rule.algorithm()),
          Keys.nameOf(limit.backend()),
          QuotaFields.of(rule));
    }
  }

  /** Quota of a limit, with the length of its period, or the calendar's period and zone. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  private record QuotaFields(
      long permits, OptionalLong periodMs, String period, String zone, OptionalLong burst) {
    static QuotaFields of(Rule rule) {
      Quota quota = rule.quota();
      boolean calendar = quota.unit() != CalendarUnit.NONE;
      return new QuotaFields(
          quota.permits(),
          calendar ? OptionalLong.empty() : OptionalLong.of(quota.period().toMillis()),
          calendar ? quota.unit().title() : "",
          calendar ? rule.zone().getId() : "",
          rule.algorithm().hasBurst() ? OptionalLong.of(quota.burst()) : OptionalLong.empty());
    }
  }

  /** Revisions that decide the settings; none if the configuration file decides them. */
  record Source(String because, List<Revision> revisions) {
    static Source of(List<LimitRevision> revisions) {
      boolean own = revisions.stream().anyMatch(each -> !each.scope().isWhole());
      String revised = own ? "override" : "revision";
      return new Source(
          revisions.isEmpty() ? "file" : revised, revisions.stream().map(Revision::of).toList());
    }
  }

  private record Revision(
      String id,
      @JsonProperty("for") String scope,
      long sinceMs,
      OptionalLong untilMs,
      String by,
      String note) {
    static Revision of(LimitRevision revision) {
      boolean ends = revision.untilMs() != LimitRevision.FOR_GOOD;
      return new Revision(
          revision.id(),
          KeyAnswer.scope(revision),
          revision.effectiveAtMs(),
          ends ? OptionalLong.of(revision.untilMs()) : OptionalLong.empty(),
          revision.by(),
          revision.note());
    }
  }

  /**
   * Pause of a limit.
   *
   * @param limit {@code *} if all limits are paused
   * @param scope events that are paused, as text; empty for all events
   * @param untilMs empty if the end is not known
   */
  record PauseFields(
      String limit,
      @JsonProperty("for") String scope,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) OptionalLong untilMs) {
    static List<PauseFields> of(List<Pause> pauses) {
      return pauses.stream().map(PauseFields::of).toList();
    }

    private static PauseFields of(Pause pause) {
      return new PauseFields(
          pause.limit(),
          pause.scope().toString(),
          pause.hasEnd() ? OptionalLong.of(pause.untilMs()) : OptionalLong.empty());
    }
  }

  /** Used and remaining permits, and the times at which there are more. */
  private record Usage(
      OptionalLong used,
      long remaining,
      OptionalLong retryAfterMs,
      long resetAfterMs,
      OptionalLong blockedUntilMs,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) OptionalLong closedUntilMs,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PauseFields> pauses) {
    static Usage of(KeyQuery question, KeyStatus found) {
      Judgement judgement = found.judgement();
      Decision decision = judgement.decision();
      boolean denied = verdict(question, found).equals(DENIED);
      boolean blocked = decision instanceof Decision.Blocked;
      long remaining = decision.remaining();
      OptionalLong deniedUntilMs = question.deniedUntilMs();
      return new Usage(
          blocked ? OptionalLong.empty() : used(question.rule(), remaining),
          remaining,
          denied ? after(deniedUntilMs, question.nowMs()) : retryAfter(question, found),
          millis(decision.resetAfterMicros()),
          denied ? deniedUntilMs : blockedUntil(judgement),
          question.closedUntilMs(),
          PauseFields.of(question.pauses()));
    }

    private static OptionalLong after(OptionalLong untilMs, long nowMs) {
      return untilMs.isEmpty()
          ? untilMs
          : OptionalLong.of(Math.max(0, untilMs.getAsLong() - nowMs));
    }

    private static OptionalLong blockedUntil(Judgement judgement) {
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

    /** Wait of a new event, which is an estimate if other events wait in line before it. */
    private static OptionalLong retryAfter(KeyQuery question, KeyStatus found) {
      if (question.isPausedForGood()) return OptionalLong.empty();
      OptionalLong alone = retryAfter(found.judgement().decision());
      long inLine = found.inLine();
      if (inLine == 0 || alone.isEmpty()) return alone;
      return OptionalLong.of(
          alone.getAsLong() + KeyWaiting.spanMs(question.rule().quota(), inLine));
    }

    /**
     * Wait in milliseconds until an event of cost 1 may conform; empty if no wait is known to help.
     */
    private static OptionalLong retryAfter(Decision decision) {
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
  }

  private record AnsweredBy(String instance, String role, OptionalLong behind) {}

  /**
   * Creates the response.
   *
   * @param match text that says which events the limit is for
   */
  static KeyAnswer of(KeyQuery question, String match, KeyStatus read, String instance) {
    KeyStatus found = read.with(question.withHours(read.judgement()));
    return new KeyAnswer(
        question.limit().name(),
        match,
        Keys.nameOf(question.applies()),
        question.key(),
        verdict(question, found),
        Numbers.of(question.limit(), question.rule()),
        Source.of(question.because()),
        Usage.of(question, found),
        found.waiting().stream().findFirst().orElse(null),
        found.judgement().nowMicros() / 1_000,
        new AnsweredBy(instance, Keys.nameOf(found.role()), found.behind()));
  }

  /** Events of a revision as text; empty for all events. */
  static String scope(LimitRevision revision) {
    return revision.scope().isWhole() ? "" : revision.scope().toString();
  }

  /** Verdict that a new event of the key with cost 1 would get now. */
  private static String verdict(KeyQuery question, KeyStatus found) {
    Decision decision = found.judgement().decision();
    boolean watches = question.rule().shadow();
    if (question.treatedLimit().treatment() == Treatment.ALLOW) return "exempt";
    if (question.treatedLimit().treatment() == Treatment.REJECT && !watches) return DENIED;
    boolean conforms = decision instanceof Decision.Conforming;
    boolean refused = decision instanceof Decision.NonConforming;
    if (question.limit().queues() && (refused || (conforms && found.inLine() > 0)))
      return "delayed";
    if (conforms) return "allowed";
    return decision instanceof Decision.Waiting ? "delayed" : "rejected";
  }
}
