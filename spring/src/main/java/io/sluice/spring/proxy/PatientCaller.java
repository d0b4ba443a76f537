package io.sluice.spring.proxy;

import java.lang.reflect.Method;

/** Recognizes callers that wait and repeat a refused call: containers of Kafka listeners. */
@FunctionalInterface
public interface PatientCaller {
  /** Recognizes no caller, for applications without Kafka listeners. */
  PatientCaller NONE = method -> false;

  /**
   * Whether a caller that waits and repeats refused calls is calling the method on the current
   * thread. Returns true once for each call of a listener, so that limited methods that the
   * listener calls are not included.
   */
  boolean calls(Method method);
}
