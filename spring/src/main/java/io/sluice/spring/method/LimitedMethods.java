package io.sluice.spring.method;

import io.sluice.rules.limit.Limit;
import io.sluice.spring.RateLimitKeyResolver;
import io.sluice.spring.settings.LimitMistakesException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.core.MethodClassKey;

/** Cache of the limited methods; reads the annotations of each method once. Thread-safe. */
public final class LimitedMethods {
  private final MethodReader reader;
  private final Map<MethodClassKey, LimitedMethod> read = new ConcurrentHashMap<>();

  /**
   * @param configured limits in the application's configuration, by name
   * @param resolver supplies the object that identifies the caller, for limits without a key
   *     expression
   */
  public LimitedMethods(Map<String, Limit> configured, Supplier<RateLimitKeyResolver> resolver) {
    reader = new MethodReader(new LimitReader(configured), new KeyReader(resolver));
  }

  /** Whether calls of the method on a bean of the class {@code type} are limited. */
  public static boolean isLimited(Method called, Class<?> type) {
    return !MethodReader.annotations(MethodReader.annotated(called, type)).isEmpty();
  }

  /**
   * Returns the limited method for a call on a bean of the class {@code type}.
   *
   * @param called called method; may be an interface's method
   * @throws LimitMistakesException if the method's annotations have mistakes
   */
  public LimitedMethod of(Method called, Class<?> type) {
    Method method = MethodReader.annotated(called, type);
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

  /** Returns the mistakes in a method's annotations, one line each. */
  public List<String> mistakes(Method method, Class<?> type) {
    List<String> mistakes = new ArrayList<>();
    reader.read(method, type, mistakes::add);
    return mistakes;
  }
}
