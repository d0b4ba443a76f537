package io.sluice.spring;

import io.sluice.limiter.Rule;
import io.sluice.topology.limit.Backend;
import io.sluice.topology.limit.Limit;

/**
 * One limit of a method.
 *
 * @param name the configured limit's, or the method's if the numbers are in the annotation
 * @param keyText the annotation's, for people
 * @param fallback what is called in place of a call over this limit
 */
record MethodLimit(String name, Limit limit, KeySource key, String keyText, Fallback fallback) {
  Ask ask(Call call) {
    return new Ask(this, KeyEvent.bucket(limit, key.of(call)));
  }

  boolean isEnforced() {
    return !limit.rule().shadow();
  }

  Rule rule() {
    return limit.rule();
  }

  boolean isRemote() {
    return limit.backend() == Backend.REDIS;
  }
}
