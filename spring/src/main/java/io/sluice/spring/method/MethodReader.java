package io.sluice.spring.method;

import io.sluice.rules.limit.Limit;
import io.sluice.spring.RateLimit;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Reads the {@link RateLimit} annotations of a method, and collects all mistakes in them. */
final class MethodReader {
  private final LimitReader limits;
  private final KeyReader keys;

  MethodReader(LimitReader limits, KeyReader keys) {
    this.limits = limits;
    this.keys = keys;
  }

  /**
   * Returns the method whose annotations apply to a call: the method of the bean's class, or the
   * called interface method if only that has annotations and the bean's class does not implement
   * the interface.
   *
   * @param called called method; may be an interface's method
   * @param type class of the bean
   */
  static Method annotated(Method called, Class<?> type) {
    Method own = AopUtils.getMostSpecificMethod(called, type);
    return annotations(own).isEmpty() ? called : own;
  }

  /**
   * Returns all limit annotations of a method, including those of the methods that it overrides.
   */
  static List<RateLimit> annotations(Method method) {
    return List.copyOf(
        AnnotatedElementUtils.findMergedRepeatableAnnotations(
            method, RateLimit.class, RateLimit.All.class));
  }

  /**
   * Reads the annotations of a method.
   *
   * @param type class of the bean
   * @param mistakes receives a line for each mistake; a limit with mistakes is not part of the
   *     result
   */
  LimitedMethod read(Method method, Class<?> type, Consumer<String> mistakes) {
    List<RateLimit> annotations = annotations(method);
    List<MethodLimit> read = new ArrayList<>();
    for (int i = 0; i < annotations.size(); i++) {
      try {
        read.add(read(annotations.get(i), i, method, type));
      } catch (IllegalArgumentException e) {
        e.getMessage().lines().forEach(mistakes);
      }
    }
    checkNames(read, mistakes);
    return new LimitedMethod(method, read, cost(annotations, method, mistakes));
  }

  private MethodLimit read(RateLimit annotation, int index, Method method, Class<?> type) {
    Limit limit = limits.read(annotation, MethodNames.signature(method) + "#" + index);
    String name = annotation.limit().isEmpty() ? title(method, index) : limit.name();
    KeySource key = keys.read(annotation.key(), limit.key(), method);
    Fallback fallback;
    try {
      fallback = Fallback.of(annotation.fallback(), method, type);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("fallback: " + e.getMessage(), e);
    }
    return new MethodLimit(name, limit, key, annotation.key(), fallback);
  }

  private static String title(Method method, int index) {
    return MethodNames.title(method) + (index == 0 ? "" : "-" + (index + 1));
  }

  private static void checkNames(List<MethodLimit> read, Consumer<String> mistakes) {
    Set<String> names = new LinkedHashSet<>();
    for (MethodLimit each : read) {
      if (!names.add(each.name())) {
        mistakes.accept(
            "limit=" + each.name() + ": twice on the method, but a call is charged to it once");
      }
    }
  }

  private static CostSource cost(
      List<RateLimit> annotations, Method method, Consumer<String> mistakes) {
    Set<String> costs = new LinkedHashSet<>();
    for (RateLimit each : annotations) costs.add(each.cost());
    if (costs.size() > 1) {
      mistakes.accept(
          "cost: must be the same for all limits of a method, but is "
              + String.join(
                  " and ", costs.stream().map(text -> text.isEmpty() ? "1" : text).toList()));
      return CostSource.ONE;
    }
    String text = annotations.isEmpty() ? "" : annotations.get(0).cost();
    if (text.isEmpty()) return CostSource.ONE;
    try {
      return CostSource.of(CallExpression.of(text, method));
    } catch (IllegalArgumentException e) {
      mistakes.accept("cost=" + text + ": " + e.getMessage());
      return CostSource.ONE;
    }
  }
}
