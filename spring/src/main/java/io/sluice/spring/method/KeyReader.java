package io.sluice.spring.method;

import io.sluice.rules.limit.LimitKey;
import io.sluice.spring.RateLimitKeyResolver;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Reads how a limit counts calls: by the key expression of a {@code @RateLimit} annotation, or by
 * caller and method.
 */
final class KeyReader {
  private final Supplier<RateLimitKeyResolver> resolver;

  KeyReader(Supplier<RateLimitKeyResolver> resolver) {
    this.resolver = resolver;
  }

  /**
   * Returns the source of a limit's keys.
   *
   * @param text key expression of the annotation; empty if it has none
   * @param key key fields of the limit
   * @throws IllegalArgumentException if the expression is invalid, or does not fit the key fields
   */
  KeySource read(String text, LimitKey key, Method method) {
    if (key.fields().isEmpty()) {
      if (text.isEmpty()) return call -> List.of();
      throw new IllegalArgumentException(
          "key=" + text + ": the limit has an empty key and one count for all calls; remove key");
    }
    if (!text.isEmpty()) return expression(text, key, method);
    if (key.fields().size() == 1) return this::callerAndMethod;
    throw new IllegalArgumentException(
        "key: missing; the limit counts by " + key + ", so a list is needed, such as {#a, #b}");
  }

  private static KeySource expression(String text, LimitKey key, Method method) {
    CallExpression expression;
    try {
      expression = CallExpression.of(text, method);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("key=" + text + ": " + e.getMessage(), e);
    }
    return call -> {
      Object value = expression.valueOf(call);
      try {
        return KeyTextConverter.values(value, key.fields().size());
      } catch (IllegalArgumentException e) {
        throw call.refused("key " + text + " is " + e.getMessage(), e);
      }
    };
  }

  private List<String> callerAndMethod(CallContext call) {
    String caller = resolver.get().resolve(call.caller());
    Objects.requireNonNull(caller, "a RateLimitKeyResolver has returned null");
    return List.of(KeyTextConverter.join(List.of(caller, MethodNames.signature(call.method()))));
  }
}
