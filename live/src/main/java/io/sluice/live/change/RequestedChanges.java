package io.sluice.live.change;

import io.sluice.live.RevisionTopic;
import io.sluice.rules.event.FieldForms;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionStatus;
import io.sluice.rules.revision.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Changes that a user can request. Each drafts revisions, which are checked, explained and written.
 * If a change has mistakes, nothing is written, and {@link ChangeSession#mistakesOf} returns the
 * mistakes. For one change; not thread-safe.
 */
public final class RequestedChanges {
  /** Maximum number of steps of a ramp, which changes a quota in steps. */
  public static final int MOST_STEPS = 500;

  /**
   * Default time at which a change takes effect: two seconds from now. By then all instances have
   * read the change.
   */
  public static final String SOON = "+2s";

  private static final String PAUSE = "pause";

  private final ChangeSession session;
  private final Asked asked;
  private final Drafts drafts;
  private final RevisionPublisher publishing;

  /**
   * Fields that all changes share, as texts that are not checked yet.
   *
   * @param values such as {@code userId=eve}: the change is only for events that have all of these
   *     values
   * @param at when the change takes effect
   * @param until when the change ends; empty if it has no end
   * @param dryRun whether the change is only checked and explained
   */
  public record Asked(
      List<String> values, String at, String until, String by, String note, boolean dryRun) {
    public Asked {
      values = List.copyOf(values);
    }
  }

  /**
   * Parameters of a ramp, which changes a quota in steps, as texts that are not checked yet.
   *
   * @param over period that the steps divide equally
   * @param growth {@code ratio} or {@code permits}
   */
  public record Steps(String from, String to, String over, int steps, String growth) {}

  public RequestedChanges(ChangeSession session, Asked asked) {
    this.session = session;
    this.asked = asked;
    drafts = new Drafts(session, asked, session.nowMs());
    publishing = new RevisionPublisher(session, asked.dryRun());
  }

  /**
   * Changes settings of a limit.
   *
   * @param given such as {@code quota=10/60s}
   */
  public void set(String limit, List<String> given) {
    publish(limit, new Settings(settings(given), Set.of()));
  }

  /** Adds a new limit with these settings. */
  public void add(String limit, List<String> given) {
    Map<String, String> settings = new HashMap<>(settings(given));
    settings.put(Settings.ENABLED, "true");
    LimitRevision draft = drafts.draft(limit, new Settings(settings, Set.of()));
    boolean isThere =
        session.limits().at(draft.effectiveAtMs()).all().stream()
            .anyMatch(each -> each.name().equals(limit));
    if (isThere || session.config().names().contains(limit)) {
      throw new InvalidChangeException("limit=" + limit + ": exists already; change it with set");
    }
    publishing.publish(draft);
  }

  private static Map<String, String> settings(List<String> given) {
    List<String> mistakes = new ArrayList<>();
    Map<String, String> settings = NamedValues.settings(given, mistakes);
    InvalidChangeException.throwIfAny(mistakes);
    return settings;
  }

  /** Rejects all events of a limit that have the requested field values. */
  public void block(String limit) {
    set(limit, Settings.VERDICT, "reject");
  }

  /**
   * Lets all events of a limit that have the requested field values pass, without metering or
   * charging them.
   */
  public void exempt(String limit) {
    set(limit, Settings.VERDICT, "allow");
  }

  /**
   * Lets all events of a limit with a queue that have the requested field values wait in line. With
   * {@code *}, all limits with a queue are paused.
   */
  public void pause(String limit) {
    LimitRevision draft =
        drafts.draft(limit, new Settings(Map.of(Settings.VERDICT, PAUSE), Set.of()));
    boolean isOfNone =
        draft.isForEveryLimit()
            && session.limits().at(draft.effectiveAtMs()).all().stream().noneMatch(Limit::queues);
    if (isOfNone)
      throw new InvalidChangeException(
          "nothing to pause: at that time no limit has exceeded=queue; only such limits can be"
              + " paused");
    publishing.publish(draft);
  }

  /**
   * Ends the pauses of a limit that are for exactly the requested field values. Pauses that begin
   * later stay planned.
   */
  public void resume(String limit) {
    long endMs = Math.max(session.nowMs(), drafts.atMs());
    List<LimitRevision> pauses = new ResumeRequest(session, drafts.scope(), endMs).pauses(limit);
    new UndoRequest(session, asked.by(), asked.note(), asked.dryRun())
        .end(pauses, endMs, "resumed");
  }

  /** Resets the usage of all buckets of a limit that have the requested field values, once. */
  public void reset(String limit) {
    set(limit, Settings.RESET, "true");
  }

  private void set(String limit, String setting, String text) {
    requireScope(limit);
    publish(limit, new Settings(Map.of(setting, text), Set.of()));
  }

  private void requireScope(String limit) {
    if (!limit.equals(LimitRevision.EVERY_LIMIT) || !drafts.scope().isWhole()) return;
    throw new InvalidChangeException(
        ("%1$s is missing: a change of every limit needs it, such as %1$s userId=eve; or name one"
                + " limit with %2$s")
            .formatted(session.named("for"), session.named("limit")));
  }

  /**
   * Removes settings that revisions have set.
   *
   * @param names of settings; if empty, all settings that revisions for the same events set
   */
  public void clear(String limit, List<String> names) {
    requireScope(limit);
    Scope scope = drafts.scope();
    long atMs = drafts.atMs();
    Set<String> set = own(limit, scope, atMs).keySet();
    String of = limit + (scope.isWhole() ? "" : ", for " + RevisionFormatter.of(scope));
    if (set.isEmpty()) {
      throw new InvalidChangeException(
          "nothing to clear: at that time no revision sets a setting of " + of);
    }
    if (!set.containsAll(names)) {
      throw new InvalidChangeException(
          "nothing to clear: revisions set only " + String.join(", ", set) + " of " + of);
    }
    if (set.contains(Settings.ENABLED) && names.isEmpty() && isAdded(limit)) {
      throw new InvalidChangeException(
          "limit="
              + limit
              + ": the file does not have this limit; to disable it, use set "
              + limit
              + " enabled=false");
    }
    publish(limit, new Settings(Map.of(), names.isEmpty() ? set : Set.copyOf(names)));
  }

  /**
   * Settings that the revisions of exactly this limit and scope have set at an instant. Other
   * revisions are not examined, since there may be many.
   */
  private Map<String, String> own(String limit, Scope scope, long atMs) {
    FieldForms forms = session.config().forms();
    Scope formed = scope.inForm(forms);
    List<RevisionStatus> statuses =
        session.contents().revisions().stream()
            .map(RevisionTopic.Written::revision)
            .filter(each -> each.limit().equals(limit))
            .filter(each -> each.scope().inForm(forms).equals(formed))
            .sorted(LimitRevision.ORDER)
            .map(each -> session.limits().revision(each.id(), atMs))
            .toList();
    return RevisionStatus.own(statuses).stream()
        .findAny()
        .map(RevisionStatus.Own::texts)
        .orElse(Map.of());
  }

  private boolean isAdded(String limit) {
    return !session.config().names().contains(limit);
  }

  /** Changes a limit's quota in steps, with a revision for each step. */
  public void ramp(String limit, Steps given) {
    Ramp ramp = Ramp.of(session.config().texts(), limit, given, session::named);
    Scope scope = drafts.scope();
    long atMs = drafts.atMs();
    List<LimitRevision> steps = new ArrayList<>();
    for (Ramp.Step each : ramp.steps()) {
      Settings set = new Settings(Map.of("quota", each.quota()), Set.of());
      long fromMs = atMs + each.afterMs();
      // Steps have no end: if a step is undone, the previous step's quota holds, and not the
      // configuration file's.
      steps.add(drafts.draft(limit, scope, set, fromMs, LimitRevision.FOR_GOOD));
    }
    LimitsInForce after = session.limits().with(steps);
    publishing.publish(steps, after, () -> explain(steps, after));
  }

  private void explain(List<LimitRevision> steps, LimitsInForce after) {
    ChangeSession.Asker asker = session.asker();
    Effect effect = new Effect(session.config(), session.limits(), after);
    LimitRevision last = steps.get(steps.size() - 1);
    effect
        .lines(last, last.effectiveAtMs(), last.set().resets())
        .forEach(
            line -> asker.says(line + RevisionFormatter.from(last.effectiveAtMs(), last.scope())));
    List<String> times =
        steps.stream().map(each -> RevisionFormatter.time(each.effectiveAtMs())).toList();
    String row = "%-" + times.stream().mapToInt(String::length).max().orElse(1) + "s  %s";
    asker.says(row.formatted("from", "quota"));
    for (int i = 0; i < steps.size(); i++) {
      String quota = steps.get(i).set().texts().getOrDefault("quota", "");
      asker.says(row.formatted(times.get(i), quota));
    }
  }

  /**
   * Ends revisions that have begun, and deletes planned ones: all of the given revisions, or none.
   *
   * @param ids of revisions, or unique prefixes of ids
   */
  public void undo(List<String> ids) {
    new UndoRequest(session, asked.by(), asked.note(), asked.dryRun()).undo(ids);
  }

  private void publish(String limit, Settings set) {
    publishing.publish(drafts.draft(limit, set));
  }
}
