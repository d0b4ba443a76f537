package io.sluice.schemas;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/**
 * Values that were read from a record at the paths of a {@link PathTree}: a {@link String}, {@link
 * Long}, {@link Boolean}, {@link Decimal}, {@link Timestamp}, {@link Structure} or {@link
 * Unreadable}, or a list of these for a path through each element of a list. Not thread-safe.
 */
public final class Values {
  /**
   * Largest number of digits of a number with an exponent that is written out. More would let a few
   * bytes of a record become much memory.
   */
  private static final int MOST_DIGITS = 100;

  /** Largest length of a number with an exponent: the JDK takes long for many digits. */
  private static final int LONGEST_WITH_EXPONENT = 100;

  /** Largest number of characters of a number in the range of {@code long}. */
  private static final int LONG_CHARACTERS = 20;

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
   * otherwise a {@link Decimal}. Takes time in proportion to the length of the text.
   *
   * @param text number as in JSON, or NaN or Infinity
   */
  public static Object number(String text) {
    boolean hasExponent = text.indexOf('e') >= 0 || text.indexOf('E') >= 0;
    String plain = hasExponent ? withoutExponent(text) : withoutZeros(text);
    if (plain.isEmpty()) return new Decimal(text, false);
    if (plain.length() > LONG_CHARACTERS || plain.indexOf('.') >= 0)
      return new Decimal(plain, true);
    try {
      return Long.parseLong(plain);
    } catch (NumberFormatException e) {
      return new Decimal(plain, true); // beyond the range of long, or NaN or Infinity
    }
  }

  /** Returns a number without the zeros at the end of its fraction. */
  private static String withoutZeros(String text) {
    int point = text.indexOf('.');
    int end = text.length();
    if (point < 0) return text.equals("-0") ? "0" : text;
    while (end > point && (text.charAt(end - 1) == '0' || end - 1 == point)) end--;
    String plain = text.substring(0, end);
    return plain.equals("-0") ? "0" : plain;
  }

  /** Returns a number written out; empty if it has more digits than a number has in practice. */
  private static String withoutExponent(String text) {
    if (text.length() > LONGEST_WITH_EXPONENT) return "";
    try {
      BigDecimal number = new BigDecimal(text);
      if (number.signum() == 0) return "0";
      long whole = (long) number.precision() - number.scale();
      if (Math.max(whole, number.scale()) > MOST_DIGITS || whole < -MOST_DIGITS) return "";
      return withoutZeros(number.toPlainString());
    } catch (NumberFormatException e) {
      return "";
    }
  }

  /**
   * Number that is not whole or not in the range of {@code long}.
   *
   * @param text the number, without an exponent and without zeros at the end of a fraction
   * @param isPlain false if the number has an exponent and too many digits to be written out: the
   *     text is as it was written then, and other texts may be the same number
   */
  public record Decimal(String text, boolean isPlain) {
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
   * Value of a type that no field can be read from, such as bytes. It is a fault only if it is the
   * value that a selector chooses.
   */
  public record Unreadable(String type) {}

  /**
   * Time since the epoch.
   *
   * @param perMilli units of the number in a millisecond; 0 for a date or a time of day, which is
   *     no instant
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
