package io.sluice.spring.method;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.OptionalLong;

/** Computes the cost in permits of a call to a limited method. */
@FunctionalInterface
interface CostSource {
  /** Maximum length in characters of an invalid cost that is quoted in an error message. */
  int MOST_SHOWN = 80;

  /** A cost of 1 for every call. */
  CostSource ONE = call -> 1;

  /**
   * Returns the cost in permits, at least 1: a cost of 0, which could come from data that the
   * caller chooses, would pass every limit.
   *
   * @throws IllegalStateException if the call has no valid cost
   */
  long of(CallContext call);

  /** Creates a cost source that evaluates an expression for each call. */
  static CostSource of(CallExpression expression) {
    return call -> {
      Object value = expression.valueOf(call);
      return permits(value).orElseThrow(() -> refused(expression, call, value));
    };
  }

  /**
   * Converts the value of a cost expression to a whole number of at least 1; empty if the value is
   * not such a number.
   */
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
    // Not from its decimal text, which may be very long.
    if (value instanceof BigInteger big) return big.longValueExact();
    if (value instanceof BigDecimal big) return big.longValueExact();
    return new BigDecimal(value.toString()).longValueExact();
  }

  /** Returns the text of a cost for an error message, or "too long". */
  static String shown(Object value) {
    if (value instanceof BigInteger big && big.bitLength() > MOST_SHOWN) return "too long";
    if (value instanceof BigDecimal big && big.unscaledValue().bitLength() > MOST_SHOWN) {
      return "too long";
    }
    String text = String.valueOf(value);
    return text.length() > MOST_SHOWN ? "too long" : text;
  }

  private static IllegalStateException refused(
      CallExpression expression, CallContext call, Object value) {
    String shown = shown(value);
    return call.refused(
        "cost " + expression + " is " + shown + "; it must be a whole number, at least 1", null);
  }
}
