package io.sluice.spring.method;

import io.sluice.limiter.Rule;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Limit.Backend;
import java.util.List;

/**
 * One limit of a method.
 *
 * @param name the configured limit's, or the method's if the numbers are in the annotation
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
    // By the event that a stream would have in its place, so that both count in the same bucket.
    return new Ask(this, Limit.buckets(List.of(limit), limit.key().event(values)).get(0));
  }

  public boolean isEnforced() {
    return !limit.rule().shadow();
  }

  public Rule rule() {
    return limit.rule();
  }

  public boolean isRemote() {
    return limit.backend() == Backend.REDIS;
  }
}
