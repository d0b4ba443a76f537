package io.sluice.limiter;

/**
 * The say of some of the limits on an arrival before it is settled, so that limits elsewhere can be
 * asked with regard to it.
 *
 * @param enforced whether any of them is enforced
 * @param conforms whether all that are would let it in as something new
 * @param slotMicros when they would, if it has to wait for that; 0 if at once
 * @param duplicate whether each that is enforced has admitted another record of it
 */
public record Standing(boolean enforced, boolean conforms, long slotMicros, boolean duplicate) {
  /** There are no limits. */
  public static final Standing NONE = new Standing(false, true, 0, true);

  /** One century past the last clock, and still exact in a script. */
  private static final long LATEST_MICROS = 8_000_000_000_000_000L;

  public Standing {
    if (slotMicros < 0 || slotMicros > LATEST_MICROS) {
      throw new IllegalArgumentException("not an instant to wait for: " + slotMicros);
    }
  }

  /** Limits that let it in at once, or at this instant. */
  public static Standing conforming(long slotMicros) {
    return new Standing(true, true, slotMicros, false);
  }

  /** Limits that refuse it. */
  public static Standing refusing() {
    return new Standing(true, false, 0, false);
  }
}
