package io.sluice.spring.proxy;

import java.lang.reflect.Method;

/** One who waits and calls again where others are refused: the container of a listener. */
@FunctionalInterface
public interface PatientCaller {
  /** Nobody. */
  PatientCaller NONE = method -> false;

  /**
   * Whether this thread is such a caller, and this the method that it calls: not one that this
   * method calls in its turn, so it is true once for each call.
   */
  boolean calls(Method method);
}
