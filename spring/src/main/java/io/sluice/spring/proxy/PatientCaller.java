package io.sluice.spring.proxy;

import java.lang.reflect.Method;

/** Recognizes callers that wait and repeat a refused call: containers of listeners. */
@FunctionalInterface
public interface PatientCaller {
  /** There are no such callers. */
  PatientCaller NONE = method -> false;

  /**
   * Whether this thread is such a caller, and is calling this method. True once for each call, so
   * that methods called by that method are not included.
   */
  boolean calls(Method method);
}
