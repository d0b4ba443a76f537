package io.sluice.limiter;

/** A limiter under test: meters arrivals of many keys against one quota, refusing the rest. */
public interface Subject {
  Decision meter(String key, Arrival arrival);

  /** All that is stored, to compare; always the same where that cannot be seen. */
  default Object stored() {
    return "";
  }
}
