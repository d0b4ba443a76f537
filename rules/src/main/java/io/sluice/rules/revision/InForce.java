package io.sluice.rules.revision;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Limit.RedisUnavailable;
import io.sluice.rules.limit.LimitKey;
import io.sluice.rules.limit.Match;
import io.sluice.rules.revision.LimitRevision.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Settings of a limit that hold for the events of one scope while nothing changes: the settings of
 * the next wider scope, overlaid by those that revisions of this scope set. Immutable.
 */
final class InForce {
  /** Stands for a limit that does not exist; no limit can have this name. */
  private static final Limit NO_LIMIT =
      new Limit(
          Rule.policing("no limit", Quota.of(1, Duration.ofSeconds(1)), Algorithm.GCRA),
          Match.ALL,
          new LimitKey(List.of(Field.USER_ID)),
          List.of(),
          Backend.STATE_STORE,
          new Exceeded.Reject(),
          RedisUnavailable.WAIT);

  /** Settings of a limit that does not exist. */
  static final InForce NOTHING = new InForce();

  private final InForce wider;
  private final Map<String, String> own;
  private final TreatedLimit treatedLimit;

  /**
   * Whether the limit exists. It is a field, like the two below, because it is read for every
   * event.
   */
  private final boolean exists;

  private final boolean enabled;

  private final boolean saysVerdict;

  private InForce() {
    wider = this;
    own = Map.of();
    exists = false;
    enabled = false;
    saysVerdict = false;
    treatedLimit = new TreatedLimit(NO_LIMIT, TreatedLimit.Treatment.METER);
  }

  /**
   * Creates the settings of a scope.
   *
   * @param own settings that revisions of this scope set, which override the wider ones
   * @param limit limit that all settings together describe
   */
  InForce(InForce wider, Map<String, String> own, Limit limit) {
    this.wider = wider;
    this.own = own;
    TreatedLimit same = wider.treatedLimit;
    String verdict = own.getOrDefault(Settings.VERDICT, "");
    TreatedLimit.Treatment said =
        verdict.isEmpty() ? same.treatment() : treatment(verdict).over(same.treatment());
    TreatedLimit made = new TreatedLimit(limit, said);
    treatedLimit = made.equals(same) ? same : made;
    exists = !limit.equals(NO_LIMIT);
    enabled = exists && !says(Settings.ENABLED).equals("false");
    saysVerdict = !says(Settings.VERDICT).isEmpty();
  }

  static TreatedLimit.Treatment treatment(String text) {
    return TreatedLimit.Treatment.valueOf(text.toUpperCase(Locale.ROOT));
  }

  /** Returns the texts of all settings, and of the verdict if one is set, by name. */
  Map<String, String> texts() {
    return textsWith(Map.of());
  }

  /** Returns the texts of all settings by name, overlaid by the given settings. */
  Map<String, String> textsWith(Map<String, String> more) {
    Map<String, String> all = wider == this ? new TreeMap<>() : wider.textsWith(own);
    all.putAll(more);
    return all;
  }

  /** Returns the settings that revisions of this scope add to those of the wider scope. */
  Map<String, String> own() {
    return own;
  }

  TreatedLimit treatedLimit() {
    return treatedLimit;
  }

  Limit limit() {
    return treatedLimit.limit();
  }

  boolean exists() {
    return exists;
  }

  boolean isEnabled() {
    return enabled;
  }

  boolean saysVerdict() {
    return saysVerdict;
  }

  /** Returns the text of a setting in this scope or a wider one; empty if it is not set. */
  private String says(String setting) {
    String text = own.get(setting);
    if (text != null) return text.trim();
    return wider == this ? "" : wider.says(setting);
  }
}
