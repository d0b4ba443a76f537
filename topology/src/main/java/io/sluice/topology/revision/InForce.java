package io.sluice.topology.revision;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.topology.event.Field;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Limit.Backend;
import io.sluice.topology.limit.Limit.Exceeded;
import io.sluice.topology.limit.Limit.RedisUnavailable;
import io.sluice.topology.limit.LimitKey;
import io.sluice.topology.limit.Match;
import io.sluice.topology.revision.LimitRevision.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings that hold for some events while nothing changes: those of a wider scope, and what
 * the revisions of this one set. Immutable.
 */
final class InForce {
  /** Stands where there is no limit. No limit can have its name. */
  private static final Limit NO_LIMIT =
      new Limit(
          Rule.policing("no limit", Quota.of(1, Duration.ofSeconds(1)), Algorithm.GCRA),
          Match.ALL,
          new LimitKey(List.of(Field.USER_ID)),
          List.of(),
          Backend.STATE_STORE,
          new Exceeded.Reject(),
          RedisUnavailable.WAIT);

  /** There is no such limit. */
  static final InForce NOTHING = new InForce();

  private final InForce wider;
  private final Map<String, String> own;
  private final Ruling ruling;

  /** Asked for with every event. */
  private final boolean exists;

  private final boolean enabled;

  private final boolean saysVerdict;

  private InForce() {
    wider = this;
    own = Map.of();
    exists = false;
    enabled = false;
    saysVerdict = false;
    ruling = new Ruling(NO_LIMIT, Ruling.Treatment.METER);
  }

  /**
   * @param own what is set on top of the wider settings
   * @param limit what all of them together say
   */
  InForce(InForce wider, Map<String, String> own, Limit limit) {
    this.wider = wider;
    this.own = own;
    Ruling same = wider.ruling;
    String verdict = own.getOrDefault(Settings.VERDICT, "");
    Ruling.Treatment said = verdict.isEmpty() ? same.treatment() : treatment(verdict);
    Ruling made = new Ruling(limit, said);
    ruling = made.equals(same) ? same : made;
    exists = !limit.equals(NO_LIMIT);
    enabled = exists && !says(Settings.ENABLED).equals("false");
    saysVerdict = !says(Settings.VERDICT).isEmpty();
  }

  static Ruling.Treatment treatment(String text) {
    return Ruling.Treatment.valueOf(text.toUpperCase(Locale.ROOT));
  }

  /** All settings, and the verdict. */
  Map<String, String> texts() {
    return textsWith(Map.of());
  }

  /** All settings, if these were set on top of them. */
  Map<String, String> textsWith(Map<String, String> more) {
    Map<String, String> all = wider == this ? new TreeMap<>() : wider.textsWith(own);
    all.putAll(more);
    return all;
  }

  /** What is set here, and not by a wider scope. */
  Map<String, String> own() {
    return own;
  }

  Ruling ruling() {
    return ruling;
  }

  Limit limit() {
    return ruling.limit();
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

  /** The text of a setting; empty if it has none. */
  private String says(String setting) {
    String text = own.get(setting);
    if (text != null) return text.trim();
    return wider == this ? "" : wider.says(setting);
  }
}
