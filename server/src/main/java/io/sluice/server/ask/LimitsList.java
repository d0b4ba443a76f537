package io.sluice.server.ask;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionStatus;
import io.sluice.rules.revision.RevisionStatus.Standing;
import io.sluice.rules.revision.Scope;
import io.sluice.server.ask.OtherInstances.Responses;
import io.sluice.server.ask.Report.Unanswered;
import io.sluice.topology.config.ConfigReport;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.watch.Watch;
import java.time.InstantSource;
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
  private final CoalescedFetch<Responses<LastMinute>> lately;
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

  /** Cached slow part of the list, without event counts. */
  private record Known(long asOfMs, List<Described> limits) {}

  private record All(
      long asOfMs,
      boolean writes,
      String access,
      List<Counted> limits,
      List<String> answered,
      List<Unanswered> unanswered) {}

  private record Counted(@JsonUnwrapped Described limit, Map<String, Long> lastMinute) {}

  /**
   * A limit in force.
   *
   * @param settings as the configuration has them
   * @param references names of the settings whose value is shown as a reference to a config
   *     provider
   * @param planned revisions that take effect first
   * @param plannedCount number of all planned revisions
   * @param pauses pauses of all events of the limit
   */
  private record Described(
      String limit,
      List<String> words,
      List<String> key,
      @JsonUnwrapped KeyAnswer.Numbers numbers,
      Map<String, String> settings,
      List<String> references,
      @JsonUnwrapped KeyAnswer.Source source,
      List<Planned> planned,
      int plannedCount,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<KeyAnswer.PauseFields> pauses,
      long overrides) {}

  private record Planned(String id, long sinceMs, @JsonProperty("for") String scope) {
    static Planned of(LimitRevision revision) {
      return new Planned(revision.id(), revision.effectiveAtMs(), KeyAnswer.scope(revision));
    }
  }

  /** Returns the list with the event counts of this instance alone. */
  Object here(boolean mayWrite) {
    return list(mayWrite, new Responses<>(List.of(), List.of(), List.of()));
  }

  /**
   * Returns the list with the event counts of all instances. The counts of other instances are at
   * most about two seconds old.
   */
  Object everywhere(boolean mayWrite) throws InterruptedException, ExecutionException {
    return list(mayWrite, lately.value().get());
  }

  private All list(boolean mayWrite, Responses<LastMinute> others) {
    LastMinute minute = LastMinute.of(watch, clock.millis());
    others.said().forEach(minute::add);
    Known all = known.value();
    return new All(
        all.asOfMs,
        config.http().writes() && mayWrite,
        mayWrite ? "write" : "read",
        all.limits.stream().map(each -> counted(each, minute)).toList(),
        others.answered(),
        others.unanswered());
  }

  private static Counted counted(Described limit, LastMinute minute) {
    boolean shadow = limit.numbers.mode().equals("shadow");
    return new Counted(limit, minute.of(limit.limit, shadow));
  }

  private Known known(long nowMs) {
    LimitsInForce inForce = limits.known();
    List<RevisionStatus> revisions = inForce.revisions(nowMs);
    return new Known(
        nowMs,
        inForce.at(nowMs).all().stream()
            .map(each -> described(inForce, each, revisions, nowMs))
            .toList());
  }

  private Described described(
      LimitsInForce known, Limit limit, List<RevisionStatus> revisions, long nowMs) {
    Map<String, String> texts = known.texts(limit.name(), nowMs);
    Map<String, String> shown = ConfigReport.shown(config, limit.name(), texts);
    List<LimitRevision> planned = of(limit, revisions, Standing.PLANNED);
    return new Described(
        limit.name(),
        ConfigReport.words(config, limit).stream().filter(each -> !each.isEmpty()).toList(),
        limit.key().fields().stream().map(Field::toString).toList(),
        KeyAnswer.Numbers.of(limit, limit.rule()),
        shown,
        texts.keySet().stream().filter(each -> !texts.get(each).equals(shown.get(each))).toList(),
        KeyAnswer.Source.of(known.sayingSo(limit.name(), Scope.WHOLE.event(), nowMs)),
        planned.stream().limit(MOST_PLANNED).map(Planned::of).toList(),
        planned.size(),
        KeyAnswer.PauseFields.of(known.pauses(limit.name(), Scope.WHOLE.event(), nowMs)),
        of(limit, revisions, Standing.IN_FORCE).stream()
            .filter(each -> !each.scope().isWhole())
            .count());
  }

  private static List<LimitRevision> of(
      Limit limit, List<RevisionStatus> revisions, Standing standing) {
    return revisions.stream()
        .filter(each -> each.standing() == standing)
        .map(RevisionStatus::revision)
        .filter(each -> each.isForEveryLimit() || each.limit().equals(limit.name()))
        .toList();
  }
}
