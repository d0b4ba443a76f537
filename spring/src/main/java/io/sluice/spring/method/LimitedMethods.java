package io.sluice.spring.method;

import io.sluice.spring.RateLimitKeyResolver;
import io.sluice.spring.settings.LimitMistakesException;
import io.sluice.topology.limit.Limit;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.core.MethodClassKey;

/** The limited methods, each read once. Safe for many threads. */
public final class LimitedMethods {
  private final MethodReader reader;
  private final Map<MethodClassKey, LimitedMethod> read = new ConcurrentHashMap<>();

  /**
   * @param configured the limits of the configuration by name
   * @param resolver of callers; asked when a call has no key of its own
   */
  public LimitedMethods(Map<String, Limit> configured, Supplier<RateLimitKeyResolver> resolver) {
    reader = new MethodReader(new LimitReader(configured), new KeyReader(resolver));
  }

  /** Whether a method that is called on a bean of this type has limits. */
  public static boolean isLimited(Method called, Class<?> type) {
    return !MethodReader.annotations(MethodReader.annotated(called, type)).isEmpty();
  }

  /**
   * The method that tells the limits of a call on a bean of this type.
   *
   * @param called maybe an interface's
   * @throws LimitMistakesException if its annotations are wrong
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

  /** What is wrong with a method's annotations, a line each. */
  public List<String> mistakes(Method method, Class<?> type) {
    List<String> mistakes = new ArrayList<>();
    reader.read(method, type, mistakes::add);
    return mistakes;
  }
}
