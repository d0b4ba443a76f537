package io.sluice.spring.method;

import java.util.List;

/** The maker of a call's key under one limit. */
@FunctionalInterface
interface KeySource {
  /** One value for each field of the limit's key; none if there is one count for all. */
  List<String> of(Call call);
}
