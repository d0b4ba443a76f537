package io.sluice.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.MethodClassKey;

/** The limited methods, each read once. Safe for many threads. */
final class LimitedMethods {
  private final MethodReader reader;
  private final Map<MethodClassKey, LimitedMethod> read = new ConcurrentHashMap<>();

  LimitedMethods(MethodReader reader) {
    this.reader = reader;
  }

  /**
   * A method of a bean of this type.
   *
   * @throws LimitMistakesException if its annotations are wrong
   */
  LimitedMethod of(Method method, Class<?> type) {
    MethodClassKey key = new MethodClassKey(method, type);
    LimitedMethod known = read.get(key);
    return known != null ? known : read.computeIfAbsent(key, absent -> read(method, type));
  }

  private LimitedMethod read(Method method, Class<?> type) {
    List<String> mistakes = new ArrayList<>();
    LimitedMethod limited = reader.read(method, type, mistakes::add);
    if (mistakes.isEmpty()) return limited;
    mistakes.replaceAll(mistake -> MethodNames.title(method) + ": " + mistake);
    throw new LimitMistakesException(mistakes);
  }

  /** What is wrong with a method's annotations, a line each. */
  List<String> mistakes(Method method, Class<?> type) {
    List<String> mistakes = new ArrayList<>();
    reader.read(method, type, mistakes::add);
    return mistakes;
  }
}
