package io.sluice.cli.limits;

import io.sluice.topology.live.RevisionTopic;
import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.LimitsInForce;
import io.sluice.topology.revision.Scope;
import io.sluice.topology.revision.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The drafts of what the commands ask for, and their way to the topic. */
final class Drafting {
  private final Session session;
  private final Change change;
  private final Publishing publishing;
  private final long nowMs;

  Drafting(Session session, Change change) {
    this.session = session;
    this.change = change;
    publishing = new Publishing(session, change.isDryRun());
    nowMs = session.nowMs();
  }

  void set(String limit, List<String> given, String until) {
    publish(limit, new Settings(settings(given), Set.of()), until);
  }

  void add(String limit, List<String> given, String until) {
    Map<String, String> settings = new HashMap<>(settings(given));
    settings.put(Settings.ENABLED, "true");
    LimitRevision draft = change.draft(limit, new Settings(settings, Set.of()), until, nowMs);
    boolean isThere =
        session.limits().at(draft.effectiveAtMs()).all().stream()
            .anyMatch(each -> each.name().equals(limit));
    if (isThere || session.config().limitNames().contains(limit)) {
      throw new MistakenException("limit=" + limit + ": is there already; change it with set");
    }
    publishing.publish(draft);
  }

  private static Map<String, String> settings(List<String> given) {
    List<String> mistakes = new ArrayList<>();
    Map<String, String> settings = Given.settings(given, mistakes);
    MistakenException.throwIfAny(mistakes);
    return settings;
  }

  void verdict(String limit, String verdict, String until) {
    requireScope(limit);
    publish(limit, new Settings(Map.of(Settings.VERDICT, verdict), Set.of()), until);
  }

  void reset(String limit) {
    requireScope(limit);
    publish(limit, new Settings(Map.of(Settings.RESET, "true"), Set.of()), "");
  }

  private void requireScope(String limit) {
    if (!limit.equals(LimitRevision.EVERY_LIMIT) || !change.scope().isWhole()) return;
    throw new MistakenException(
        "--for is missing: of all limits, such as --for userId=eve; or name one with --limit");
  }

  /**
   * @param names of settings; all that revisions of this scope set, if there are none
   */
  void clear(String limit, List<String> names) {
    requireScope(limit);
    Scope scope = change.scope();
    long atMs = change.atMs(nowMs);
    Set<String> set = own(limit, scope, atMs).keySet();
    String of = limit + (scope.isWhole() ? "" : ", for " + Words.of(scope));
    if (set.isEmpty()) {
      throw new MistakenException("nothing to clear: no revision sets anything then of " + of);
    }
    if (!set.containsAll(names)) {
      throw new MistakenException(
          "nothing to clear: of " + of + " revisions set " + String.join(", ", set));
    }
    if (set.contains(Settings.ENABLED) && names.isEmpty() && isAdded(limit)) {
      throw new MistakenException(
          "limit="
              + limit
              + ": only revisions say that it is there; take it away with set "
              + limit
              + " enabled=false");
    }
    publish(limit, new Settings(Map.of(), names.isEmpty() ? set : Set.copyOf(names)), "");
  }

  /** What the revisions of this limit and scope set then. Of the others there may be many. */
  private Map<String, String> own(String limit, Scope scope, long atMs) {
    return Overrides.of(
            session.contents().revisions().stream()
                .map(RevisionTopic.Written::revision)
                .filter(each -> each.limit().equals(limit) && each.scope().equals(scope))
                .sorted(LimitRevision.ORDER)
                .map(each -> session.limits().revision(each.id(), atMs))
                .toList())
        .own(limit, scope);
  }

  private boolean isAdded(String limit) {
    return !session.config().limitNames().contains(limit);
  }

  void ramp(String limit, RampOptions options) {
    Ramp ramp = options.ramp(session.config().limitTexts(), limit);
    Scope scope = change.scope();
    long atMs = change.atMs(nowMs);
    List<LimitRevision> drafts = new ArrayList<>();
    for (Ramp.Step each : ramp.steps()) {
      Settings set = new Settings(Map.of("quota", each.quota()), Set.of());
      long fromMs = atMs + each.afterMs();
      // Without an end: if a step is undone, the one before goes on, and not the file's quota.
      drafts.add(Change.readable(change.draft(limit, scope, set, fromMs, LimitRevision.FOR_GOOD)));
    }
    LimitsInForce after = session.limits().with(drafts);
    publishing.publish(drafts, after, session -> explain(drafts, after));
  }

  private void explain(List<LimitRevision> drafts, LimitsInForce after) {
    Effect effect = new Effect(session.config(), session.limits(), after);
    LimitRevision last = drafts.get(drafts.size() - 1);
    effect
        .lines(last, last.effectiveAtMs())
        .forEach(line -> session.say(line + Words.from(last.effectiveAtMs(), last.scope())));
    Columns columns = new Columns("from", "quota");
    for (LimitRevision each : drafts) {
      columns.row(
          List.of(Times.show(each.effectiveAtMs()), each.set().texts().getOrDefault("quota", "")));
    }
    columns.print(session.out());
  }

  private void publish(String limit, Settings set, String until) {
    publishing.publish(change.draft(limit, set, until, nowMs));
  }
}
