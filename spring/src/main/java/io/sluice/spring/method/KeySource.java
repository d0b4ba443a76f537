package io.sluice.spring.method;

import java.util.List;

/** Computes the key by which one limit counts a call. */
@FunctionalInterface
interface KeySource {
  /**
   * Returns one value for each field of the limit's key; an empty list if the limit has one count
   * for all calls.
   */
  List<String> of(CallContext call);
}
