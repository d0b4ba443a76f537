package io.sluice.spring.method;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import java.util.List;

/**
 * One limit of a method.
 *
 * @param name name of the configured limit, or a title of the method if the limit's numbers are in
 *     the annotation
 * @param limit the limit as configured; revisions (dated changes) may override its settings
 * @param keyText key expression of the annotation, for display
 * @param fallback reaction to a call over this limit
 */
public record MethodLimit(
    String name, Limit limit, KeySource key, String keyText, Fallback fallback) {
  Ask ask(CallContext call) {
    return ask(key.of(call));
  }

  /**
   * Returns the request to meter a call with the given key values, one for each field of the
   * limit's key.
   */
  public Ask ask(List<String> values) {
    return new Ask(this, limit.key().event(values));
  }

  /**
   * Whether the limit's numbers are in the configuration. If they are in the annotation instead,
   * the internal name of the limit is longer than {@code name}.
   */
  public boolean isConfigured() {
    return name.equals(limit.name());
  }

  public boolean isRemote() {
    return limit.backend() == Backend.REDIS;
  }
}
