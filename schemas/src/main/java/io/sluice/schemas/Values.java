package io.sluice.schemas;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Values that were read from a record at the paths of a {@link PathTree}: a {@link String}, {@link
 * Long}, {@link Boolean}, {@link Decimal}, {@link Timestamp} or {@link Structure}, or a list of
 * these for a path through each element of a list. Not thread-safe.
 */
public final class Values {
  /** Largest number of digits of a number that is written out, since an exponent may be large. */
  private static final int MOST_DIGITS = 1_000;

  private static final int LONG_DIGITS = 19;

  private final boolean[] lists;
  private final Object[] slots;

  Values(boolean[] lists) {
    this.lists = lists;
    slots = new Object[lists.length];
  }

  /** Returns the value in a slot; null if the record has none, or null there. */
  public Object get(int slot) {
    return slots[slot];
  }

  /** Puts a value in the slots of a node; a list receives the value as its last element. */
  @SuppressWarnings("unchecked") // only this method puts lists there
  public void put(PathNode node, Object value) {
    int[] all = node.slots();
    for (int i = 0; i < all.length; i++) {
      int slot = all[i];
      if (!lists[slot]) {
        slots[slot] = value;
        continue;
      }
      if (slots[slot] == null) slots[slot] = new ArrayList<>();
      ((List<Object>) slots[slot]).add(value);
    }
  }

  /**
   * Notes that there is a list at a node: the list of the values of its elements exists from now
   * on, even if the list has no element.
   */
  public void openList(PathNode node) {
    for (int slot : node.slotsOfEach()) {
      if (slots[slot] == null) slots[slot] = new ArrayList<>();
    }
  }

  /**
   * Returns the value of a number: a {@link Long} if it is whole and in the range of {@code long},
   * also if it is written as a fraction or with an exponent, such as {@code 42.0} or {@code 4.2e1};
   * otherwise a {@link Decimal}.
   *
   * @param text number as in JSON, or NaN or Infinity
   */
  public static Object number(String text) {
    if (text.length() > MOST_DIGITS) return new Decimal(text); // the JDK would take seconds
    BigDecimal number;
    try {
      number = new BigDecimal(text).stripTrailingZeros();
    } catch (NumberFormatException e) {
      return new Decimal(text);
    }
    long digits = Math.max(number.precision(), (long) number.precision() - number.scale());
    if (Math.max(digits, number.scale()) > MOST_DIGITS) return new Decimal(text);
    if (number.scale() <= 0 && digits <= LONG_DIGITS) {
      BigInteger whole = number.toBigInteger();
      if (whole.bitLength() < Long.SIZE) return whole.longValue();
    }
    return new Decimal(number.toPlainString());
  }

  /**
   * Number that is not whole or not in the range of {@code long}.
   *
   * @param text the number without an exponent and without zeros at its end, if it is shorter than
   *     1,000 digits; otherwise as it was written
   */
  public record Decimal(String text) {
    @Override
    public String toString() {
      return text;
    }
  }

  /** List, map or record; only its number of elements is kept. */
  public record Structure(boolean isList, int size) {
    /** Returns the kind for messages. */
    public String kind() {
      return isList ? "a list" : "an object";
    }
  }

  /**
   * Time since the epoch.
   *
   * @param perMilli units of the number in a millisecond
   * @param isLocal whether the time is that of an unknown time zone
   */
  public record Timestamp(long number, long perMilli, boolean isLocal) {
    /** Returns the number, without its unit. */
    @Override
    public String toString() {
      return Long.toString(number);
    }
  }
}
