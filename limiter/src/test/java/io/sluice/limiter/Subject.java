package io.sluice.limiter;

/**
 * Limiter under test, which meters arrivals of many keys against one quota and refuses the rest.
 */
public interface Subject {
  Decision meter(String key, Arrival arrival);

  /** Returns everything that is stored, for comparison; a constant if that is not accessible. */
  default Object stored() {
    return "";
  }
}
