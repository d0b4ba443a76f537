package io.sluice.rules.revision;

import io.sluice.limiter.Rule;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.settings.LimitTexts;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Applies settings that revisions set to one limit, and refuses invalid settings. For many threads.
 */
final class LimitRules implements Rules {
  private static final int READINGS = 4_096;
  private static final Set<String> NO_SETTINGS = Set.of(Settings.VERDICT, Settings.ENABLED);

  static final String KEY_MISSING = "key.missing";

  private static final String NOT_FOR_SOME =
      "key.missing: cannot change for some events only; leave out for";

  static final String ONLY_A_VERDICT =
      "for: with algorithm=bloom accepted is verdict: all keys share the filters";

  private static final String NOT_RESIZED =
      "bloom.capacity, bloom.error: cannot change while the application runs; change the"
          + " configuration file, which takes effect with the next quarter of a period";

  private static final String NOT_PAUSED =
      "accepted with exceeded=queue, where events can wait for the end of the pause; the limit has"
          + " exceeded=";

  private final String limit;
  private final LimitTexts texts;
  private final Places places;
  private final BoundedCache<Map<String, String>, LimitTexts.Reading> readings =
      new BoundedCache<>(READINGS);

  /**
   * Cache of the results of applying settings, since many scopes apply the same settings to the
   * same wider ones.
   */
  private final BoundedCache<Asked, Applied> answers = new BoundedCache<>(READINGS);

  /**
   * Cache key: everything on which the result of applying settings depends; the settings in force
   * are compared by identity.
   */
  private record Asked(InForce wider, InForce known, Map<String, String> own) {}

  LimitRules(String limit, LimitTexts texts, Places places) {
    this.limit = limit;
    this.texts = texts;
    this.places = places;
  }

  @Override
  public Applied apply(Scope scope, Ground ground, Map<String, String> own) {
    InForce wider = ground.wider();
    if (!wider.exists() && !isAdded(own, ground.before())) return Applied.refused(unknown());
    LimitKey key = wider.limit().key();
    if (!key.fields().containsAll(scope.fields().fields())) {
      return Applied.refused(notOfItsKey(scope, key));
    }
    if (wider.exists() && NO_SETTINGS.containsAll(own.keySet())) {
      return applied(wider, own, wider.limit());
    }
    if (!scope.isWhole() && own.containsKey(KEY_MISSING)) return Applied.refused(NOT_FOR_SOME);
    if (!scope.isWhole() && wider.limit().rule().algorithm().admitsOnce()) {
      return Applied.refused(ONLY_A_VERDICT);
    }
    return answers.get(new Asked(wider, ground.known(), own), this::answer);
  }

  private Applied answer(Asked asked) {
    Map<String, String> all = asked.wider.textsWith(Map.of());
    all.putAll(asked.own);
    all.keySet().removeAll(NO_SETTINGS);
    LimitTexts.Reading read = readings.get(all, each -> texts.read(limit, each));
    if (!read.mistakes().isEmpty()) return Applied.refused(String.join("; ", read.mistakes()));
    if (isResized(asked.known, read.limit())) return Applied.refused(NOT_RESIZED);
    String misplaced = places.refusal(asked.known, read.limit());
    return misplaced.isEmpty()
        ? applied(asked.wider, asked.own, read.limit())
        : Applied.refused(misplaced);
  }

  /** Returns the limit with its settings, unless it is paused and events cannot wait in line. */
  private Applied applied(InForce wider, Map<String, String> own, Limit made) {
    boolean pauses = own.getOrDefault(Settings.VERDICT, "").equals(Settings.PAUSE);
    Exceeded.Kind kind = made.exceeded().kind();
    if (!pauses || kind == Exceeded.Kind.QUEUE)
      return Applied.accepted(new InForce(wider, own, made));
    String problem = NOT_PAUSED + Keys.nameOf(kind);
    return Applied.refused(LimitTexts.mistake(limit, Settings.VERDICT, Settings.PAUSE, problem));
  }

  private static boolean isResized(InForce known, Limit limit) {
    if (!known.exists() || !limit.rule().algorithm().admitsOnce()) return false;
    Rule before = known.limit().rule();
    return before.algorithm().admitsOnce() && !before.filter().equals(limit.rule().filter());
  }

  private static boolean isAdded(Map<String, String> own, InForce before) {
    String enabled = own.getOrDefault(Settings.ENABLED, "");
    return enabled.equals("true") || (before.exists() && enabled.equals("false"));
  }

  private String unknown() {
    Set<String> known = texts.given().keySet();
    return "limit="
        + limit
        + ": unknown"
        + (known.isEmpty() ? "" : "; did you mean " + LimitTexts.nearest(limit, known) + "?")
        + (known.isEmpty() ? "; a" : " A")
        + " new limit needs enabled=true";
  }

  private String notOfItsKey(Scope scope, LimitKey key) {
    List<Field> others =
        scope.fields().fields().stream().filter(each -> !key.fields().contains(each)).toList();
    return "for."
        + others.get(0)
        + ": accepted are fields of the key of "
        + limit
        + (key.fields().isEmpty() ? ", which has none" : ": " + key);
  }
}
