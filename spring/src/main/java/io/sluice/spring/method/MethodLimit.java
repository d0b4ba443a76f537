package io.sluice.spring.method;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Backend;
import java.util.List;

/**
 * One limit of a method.
 *
 * @param name name of the configured limit, or a title of the method if the numbers are in the
 *     annotation
 * @param limit the limit as configured; revisions may change it
 * @param keyText key expression of the annotation, for display
 * @param fallback answers a call over this limit
 */
public record MethodLimit(
    String name, Limit limit, KeySource key, String keyText, Fallback fallback) {
  Ask ask(CallContext call) {
    return ask(key.of(call));
  }

  /**
   * Returns the request for a call with these key values, one for each field of the limit's key.
   */
  public Ask ask(List<String> values) {
    return new Ask(this, limit.key().event(values));
  }

  /**
   * Whether the limit is configured. A limit in an annotation has a longer internal name than this
   * name.
   */
  public boolean isConfigured() {
    return name.equals(limit.name());
  }

  public boolean isRemote() {
    return limit.backend() == Backend.REDIS;
  }
}
