package io.sluice.spring.method;

import java.util.List;

/** Computes the key of a call under one limit. */
@FunctionalInterface
interface KeySource {
  /** Returns one value for each field of the limit's key; none if there is one count for all. */
  List<String> of(CallContext call);
}
