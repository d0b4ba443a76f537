package io.sluice.limiter;

import static java.lang.Math.max;

import io.sluice.limiter.rows.Fields;
import io.sluice.limiter.rows.Fingerprint;
import io.sluice.limiter.rows.Rows;
import io.sluice.limiter.rows.ShortLog;
import io.sluice.limiter.rows.StoredFormat;
import java.util.Optional;

/**
 * Fast path for a sliding window log whose rule only polices (refuses, without delay, block or
 * shadow) and that fits in a single row: computes the log's next row from the stored row, without
 * the objects that the general {@link WindowLog} creates. Not thread-safe.
 */
final class WindowLogFastPath implements AlgorithmTraits.ShortWay {
  /** Row value of a bucket that is not stored yet: the version, then zeros. */
  private static final byte[] NEW = {StoredFormat.VERSION, 0, 0, 0, 0, 0, 0, 0};

  /** Largest size in bytes of the version, the clock and the used permits in a row. */
  private static final int HEAD_BYTES = 3 * 10;

  private final Rows rows;

  /** Buffer for the next row, which is then copied to an array of the row's exact length. */
  private final byte[] widest = new byte[HEAD_BYTES + ShortLog.MOST_BYTES];

  WindowLogFastPath(Rows rows) {
    this.rows = rows;
  }

  /**
   * Log of a bucket at the instant of an arrival: its entries that have not expired, and the
   * permits that they use.
   */
  private static final class Window {
    private final Quota quota;
    private final long nowMicros;
    private final ShortLog log;
    private final long used;

    /**
     * @param used permits in use, including those of entries that have left the window at the
     *     cutoff
     */
    Window(Quota quota, long nowMicros, ShortLog log, long used, long cutoffMicros) {
      this.quota = quota;
      this.nowMicros = nowMicros;
      this.log = log;
      this.used = expire(used, cutoffMicros);
    }

    private long expire(long usedBefore, long cutoffMicros) {
      if (log.isEmpty()) return usedBefore;
      if (log.newestMicros() > cutoffMicros) return usedBefore - log.expire(cutoffMicros);
      log.expireAll();
      return 0;
    }

    /**
     * Whether the fast path can meter the arrival: its event is not in the log, it is not earlier
     * than any entry, and its entry fits in the row.
     */
    boolean isOrdinary(Fingerprint fingerprint) {
      boolean isLast = log.isEmpty() || log.newestMicros() <= nowMicros;
      return isLast && log.hasRoom() && !log.holds(fingerprint);
    }

    Outcome refusal(long lacking) {
      long remaining = max(0, quota.permits() - used);
      long leavesMicros = log.reachedAt(lacking) + quota.periodMicros();
      long newAtMicros = log.newestMicros() + quota.periodMicros();
      return Outcome.alone(
          Outcome.Kind.REFUSED,
          nowMicros,
          new Decision.NonConforming(remaining, leavesMicros - nowMicros, newAtMicros - nowMicros));
    }
  }

  @Override
  public Optional<Outcome> meter(Arrival arrival, Rule rule, byte[] row, byte[] value) {
    byte[] before = value == null ? NEW : value;
    if (before[0] != StoredFormat.VERSION) return Optional.empty();
    Fields in = new Fields(before);
    in.next();
    long clockMicros = in.next();
    long used = in.next();
    long nowMicros = max(arrival.nowMicros(), clockMicros);
    Rule inForce = rule.at(nowMicros);
    if (!isOrdinary(arrival, inForce)) return Optional.empty();
    if (rule.schedule().changes(clockMicros, nowMicros)) return Optional.empty();
    Optional<ShortLog> log = ShortLog.read(in);
    if (log.isEmpty()) return Optional.empty();
    long cutoff = rule.schedule().cutoff(inForce, nowMicros);
    return meter(arrival, row, new Window(inForce.quota(), nowMicros, log.get(), used, cutoff));
  }

  private static boolean isOrdinary(Arrival arrival, Rule inForce) {
    return inForce.onlyPolices()
        && arrival.cost() > 0
        && arrival.cost() <= inForce.quota().permits();
  }

  private Optional<Outcome> meter(Arrival arrival, byte[] row, Window window) {
    Fingerprint fingerprint = arrival.identity().fingerprint();
    if (!window.isOrdinary(fingerprint)) return Optional.empty();
    long lacking = window.used + arrival.cost() - window.quota.permits();
    return Optional.of(
        lacking > 0 ? window.refusal(lacking) : admit(arrival, fingerprint, row, window));
  }

  private Outcome admit(Arrival arrival, Fingerprint fingerprint, byte[] row, Window window) {
    long nowMicros = window.nowMicros;
    long used = window.used + arrival.cost();
    Fields out = new Fields(widest);
    out.add(StoredFormat.VERSION).add(nowMicros).add(used);
    window.log.write(out, nowMicros, arrival.cost(), fingerprint);
    rows.put(row, out.toArray());
    return Outcome.alone(
        Outcome.Kind.ADMITTED,
        nowMicros,
        new Decision.Conforming(window.quota.permits() - used, window.quota.periodMicros()));
  }
}
