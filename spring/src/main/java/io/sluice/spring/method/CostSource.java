package io.sluice.spring.method;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.OptionalLong;

/** The number of permits that a call needs. */
@FunctionalInterface
interface CostSource {
  /** The longest value that a message shows. */
  int MOST_SHOWN = 80;

  /** One for every call. */
  CostSource ONE = call -> 1;

  /**
   * At least 1: a cost of 0, which may come from a caller's data, would pass every limit.
   *
   * @throws IllegalStateException if the call says no such number
   */
  long of(Call call);

  /** What an expression says. */
  static CostSource of(CallExpression expression) {
    return call -> {
      Object value = expression.valueOf(call);
      return permits(value).orElseThrow(() -> refused(expression, call, value));
    };
  }

  /** A whole number, at least 1; nothing if it is none. */
  static OptionalLong permits(Object value) {
    if (!(value instanceof Number number)) return OptionalLong.empty();
    try {
      long permits = whole(number);
      return permits < 1 ? OptionalLong.empty() : OptionalLong.of(permits);
    } catch (ArithmeticException | NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static long whole(Number value) {
    if (value instanceof BigInteger big) return big.longValueExact(); // its text may be long
    if (value instanceof BigDecimal big) return big.longValueExact();
    return new BigDecimal(value.toString()).longValueExact();
  }

  /** What a message shows of a value, which may be as long as a caller likes. */
  static String shown(Object value) {
    if (value instanceof BigInteger big && big.bitLength() > MOST_SHOWN) return "too long";
    if (value instanceof BigDecimal big && big.unscaledValue().bitLength() > MOST_SHOWN) {
      return "too long";
    }
    String text = String.valueOf(value);
    return text.length() > MOST_SHOWN ? "too long" : text;
  }

  private static IllegalStateException refused(CallExpression expression, Call call, Object value) {
    String shown = shown(value);
    return call.refused(
        "cost " + expression + " is " + shown + "; a cost is a whole number, at least 1", null);
  }
}
