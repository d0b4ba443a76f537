package io.sluice.live.change;

import static java.util.stream.Collectors.toSet;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionStatus;
import io.sluice.rules.settings.LimitTexts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reasons for which revisions are refused, one line each. */
final class Refusals {
  private static final List<String> BESIDES =
      List.of(Settings.VERDICT, Settings.RESET, Settings.ENABLED);

  private final LimitsInForce before;
  private final LimitsInForce after;
  private final long nowMs;

  Refusals(LimitsInForce before, LimitsInForce after, long nowMs) {
    this.before = before;
    this.after = after;
    this.nowMs = nowMs;
  }

  /**
   * Returns the reasons for which a draft is refused at any time at which it should be in force.
   */
  List<String> of(LimitRevision draft) {
    Set<String> lines = new LinkedHashSet<>(lines(after.revision(draft.id(), nowMs)));
    Set<String> known = new LinkedHashSet<>(draft.set().names());
    boolean all = !known.removeIf(each -> isUnknown(draft, each));
    // An unknown setting hides mistakes in the values of other settings, so known settings are
    // checked alone.
    if (!all && !known.isEmpty()) {
      lines.addAll(lines(before.with(only(known, draft)).revision(draft.id(), nowMs)));
    }
    unless(draft).ifPresent(lines::add);
    lines.addAll(conflicts(draft));
    return List.copyOf(lines);
  }

  /**
   * Returns the refusals of other revisions with whose limits a draft cannot be combined. Where two
   * revisions cannot be combined, the one that takes effect last is refused, and a draft must not
   * do this to another revision.
   */
  private List<String> conflicts(LimitRevision draft) {
    List<String> ids =
        after.conflicting().stream().filter(each -> !each.equals(draft.id())).toList();
    Map<String, RevisionStatus> then = new HashMap<>();
    for (RevisionStatus each : before.revisions(ids, nowMs)) then.put(each.revision().id(), each);
    List<String> lines = new ArrayList<>();
    for (RevisionStatus each : after.revisions(ids, nowMs)) {
      RevisionStatus known = then.get(each.revision().id());
      if (known == null || known.refusals().equals(each.refusals())) continue;
      lines.addAll(refusedWithThis(each));
    }
    return lines;
  }

  /**
   * Returns the mistake in the setting {@code unless} of a draft: instances ignore a name of a
   * limit that does not exist, but in a draft it is reported.
   */
  private Optional<String> unless(LimitRevision draft) {
    String text = draft.set().texts().get("unless");
    List<Limit> limits = new ArrayList<>(after.at(draft.effectiveAtMs()).all());
    Set<String> names = limits.stream().map(Limit::name).collect(toSet());
    for (Limit each : after.ever().all()) if (names.add(each.name())) limits.add(each);
    return limits.stream()
        .filter(each -> text != null && each.name().equals(draft.limit()))
        .findFirst()
        .flatMap(each -> each.mistakeAmong(limits))
        .map(problem -> LimitTexts.mistake(draft.limit(), "unless", text, problem));
  }

  private static boolean isUnknown(LimitRevision draft, String name) {
    return LimitTexts.unknown(draft.limit(), name, BESIDES).isPresent();
  }

  private static LimitRevision only(Set<String> names, LimitRevision draft) {
    Map<String, String> texts = new HashMap<>(draft.set().texts());
    texts.keySet().retainAll(names);
    Set<String> back = new LinkedHashSet<>(draft.set().back());
    back.retainAll(names);
    return new LimitRevision(
        draft.id(),
        draft.limit(),
        draft.scope(),
        new Settings(texts, back),
        draft.effectiveAtMs(),
        draft.untilMs(),
        draft.by(),
        draft.note());
  }

  /**
   * Returns the reasons for which a revision is refused, with times for a refusal that does not
   * cover the revision's whole time.
   */
  static List<String> lines(RevisionStatus status) {
    List<String> lines = new ArrayList<>();
    for (RevisionStatus.Refusal each : status.refusals()) {
      String when = when(status.revision(), each);
      for (String reason : split(each.reason(), status.revision().limit())) {
        lines.add(when + RevisionFormatter.plain(reason, RevisionFormatter.LONGEST_REASON));
      }
    }
    return lines;
  }

  /**
   * Splits a reason with the mistakes of several settings; each mistake begins with the key of a
   * setting.
   */
  private static String[] split(String reason, String limit) {
    return reason.split("; (?=sluice\\.limit\\." + limit.replace("*", "\\*") + "\\.)");
  }

  private static String when(LimitRevision revision, RevisionStatus.Refusal refusal) {
    boolean always =
        refusal.fromMs() <= revision.effectiveAtMs() && refusal.untilMs() >= revision.untilMs();
    if (always) return "";
    String end =
        refusal.untilMs() == LimitRevision.FOR_GOOD
            ? ""
            : " until " + RevisionFormatter.time(refusal.untilMs());
    return "from " + RevisionFormatter.time(refusal.fromMs()) + end + ": ";
  }

  /** Returns the refusals of other revisions that the drafts cause. */
  List<String> ofOthers(Set<String> drafted) {
    Map<String, RevisionStatus> then = new HashMap<>();
    for (RevisionStatus each : before.revisions(nowMs)) then.put(each.revision().id(), each);
    List<String> lines = new ArrayList<>();
    for (RevisionStatus each : after.revisions(nowMs)) {
      String id = each.revision().id();
      if (drafted.contains(id) || each.refusals().isEmpty()) continue;
      List<RevisionStatus.Refusal> known = then.get(id).refusals();
      if (known.equals(each.refusals())) continue;
      lines.addAll(refusedWithThis(each));
    }
    return lines;
  }

  private static List<String> refusedWithThis(RevisionStatus status) {
    String id = RevisionFormatter.id(status.revision().id());
    return lines(status).stream()
        .map(line -> "with this change, revision " + id + " is refused: " + line)
        .toList();
  }
}
