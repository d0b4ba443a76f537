package io.sluice.rules.revision;

import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.settings.LimitTexts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Validates a revision by itself, without regard to other revisions and limits. */
final class RevisionCheck {
  /** Names that a revision may set besides the settings of a limit. */
  private static final List<String> WORDS =
      List.of(Settings.VERDICT, Settings.RESET, Settings.ENABLED);

  private static final Map<String, List<String>> ACCEPTED =
      Map.of(
          Settings.VERDICT, List.of("allow", "reject", "meter", Settings.PAUSE),
          Settings.RESET, List.of("true"),
          Settings.ENABLED, List.of("true", "false"));

  private final LimitRevision revision;
  private final Set<String> names;
  private final List<String> found = new ArrayList<>();

  private RevisionCheck(LimitRevision revision) {
    this.revision = revision;
    names = revision.set().names();
  }

  /**
   * Returns why the revision can never be in force, in one line; empty if it is valid by itself.
   */
  static String refusal(LimitRevision revision) {
    RevisionCheck check = new RevisionCheck(revision);
    check.times();
    check.names();
    check.words();
    if (revision.isForEveryLimit()) check.everyLimit();
    else check.oneLimit();
    return String.join("; ", check.found);
  }

  private void times() {
    if (revision.effectiveAtMs() < revision.untilMs()) return;
    found.add(
        "until="
            + revision.untilMs()
            + ": must be after effectiveAt, which is "
            + revision.effectiveAtMs());
  }

  private void names() {
    if (names.isEmpty()) found.add("set: has no setting; such as {\"quota\":\"5/60s\"}");
    if (revision.isForEveryLimit()) return;
    for (String name : names) {
      LimitTexts.unknown(revision.limit(), name, WORDS).ifPresent(found::add);
    }
    if (names.contains("")) found.add("set: the name of a setting is empty");
  }

  private void words() {
    for (String word : WORDS) {
      String text = revision.set().texts().getOrDefault(word, "");
      boolean given = revision.set().texts().containsKey(word);
      boolean undoes = word.equals(Settings.RESET) && revision.set().back().contains(word);
      if (undoes || (given && !ACCEPTED.get(word).contains(text))) {
        String accepted = "accepted are " + String.join(", ", ACCEPTED.get(word));
        String shown = undoes ? "null" : text;
        found.add(LimitTexts.mistake(revision.limit(), word, shown, accepted));
      }
    }
  }

  private void everyLimit() {
    if (revision.scope().isWhole() && !onlyPauses()) {
      found.add("for: missing; limit=* needs it, such as {\"userId\":\"eve\"}");
    }
    for (String name : names) {
      if (name.equals(Settings.VERDICT) || name.equals(Settings.RESET)) continue;
      found.add("set." + name + ": with limit=* accepted are verdict, reset");
    }
  }

  /** Returns whether the revision only begins or ends a pause, which all events may have. */
  private boolean onlyPauses() {
    boolean only = names.equals(Set.of(Settings.VERDICT));
    return only && (revision.set().pauses() || revision.set().texts().isEmpty());
  }

  private void oneLimit() {
    boolean some = !revision.scope().isWhole();
    if (some && names.contains(Settings.ENABLED)) {
      found.add("set.enabled: only for a whole limit; for some events set verdict=allow instead");
    }
    if (some && names.stream().anyMatch(name -> name.startsWith("match."))) {
      found.add("set.match: only for a whole limit; for some events set verdict=allow instead");
    }
    if (some && names.contains("open")) {
      found.add("set.open: only for a whole limit; for some events set verdict=allow instead");
    }
    if (some && names.contains("unless")) {
      found.add("set.unless: only for a whole limit; for some events set verdict=allow instead");
    }
  }
}
