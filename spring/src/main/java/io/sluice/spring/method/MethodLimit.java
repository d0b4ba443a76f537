package io.sluice.spring.method;

import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Limit.Backend;
import java.util.List;

/**
 * One limit of a method.
 *
 * @param name the configured limit's, or the method's if the numbers are in the annotation
 * @param limit as it is written; revisions may say something else of a configured one
 * @param keyText the annotation's, for people
 * @param fallback what is called in place of a call over this limit
 */
public record MethodLimit(
    String name, Limit limit, KeySource key, String keyText, Fallback fallback) {
  Ask ask(Call call) {
    return ask(key.of(call));
  }

  /** What a call asks whose key has these values, one for each field of the limit's key. */
  public Ask ask(List<String> values) {
    return new Ask(this, limit.key().event(values));
  }

  /** Whether it is one of the configuration; the others are known by more than their names. */
  public boolean isConfigured() {
    return name.equals(limit.name());
  }

  public boolean isRemote() {
    return limit.backend() == Backend.REDIS;
  }
}
