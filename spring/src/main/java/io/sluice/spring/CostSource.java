package io.sluice.spring;

import java.math.BigDecimal;

/** The number of permits that a call needs. */
@FunctionalInterface
interface CostSource {
  /** One for every call. */
  CostSource ONE = call -> 1;

  /**
   * At least 0.
   *
   * @throws IllegalStateException if the call says no such number
   */
  long of(Call call);

  /** What an expression says. */
  static CostSource of(CallExpression expression) {
    return call -> {
      Object value = expression.valueOf(call);
      try {
        long cost = new BigDecimal(String.valueOf(value)).longValueExact();
        if (value instanceof Number && cost >= 0) return cost;
      } catch (ArithmeticException | NumberFormatException e) {
        throw refused(expression, call, value, e);
      }
      throw refused(expression, call, value, null);
    };
  }

  private static IllegalStateException refused(
      CallExpression expression, Call call, Object value, RuntimeException cause) {
    return new IllegalStateException(
        "@RateLimit on "
            + MethodNames.title(call.method())
            + ": cost "
            + expression
            + " is "
            + value
            + "; a cost is a whole number, at least 0",
        cause);
  }
}
