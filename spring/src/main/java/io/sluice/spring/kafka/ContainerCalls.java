package io.sluice.spring.kafka;

import io.sluice.spring.proxy.ListenerMethods;
import io.sluice.spring.proxy.PatientCaller;
import java.lang.reflect.Method;

/**
 * Marks the thread on which a Kafka listener container is calling its listener. By the mark, the
 * interceptor of limited methods recognizes this call: if a limit refuses the call for now, the
 * record waits and the container calls the listener again, instead of handling a failure. Limited
 * methods that the listener itself calls are not included.
 */
public final class ContainerCalls implements PatientCaller {
  private final ThreadLocal<Boolean> calling = new ThreadLocal<>();

  /** Runs a container's call of its listener, and marks the current thread meanwhile. */
  void make(Runnable call) {
    calling.set(true);
    try {
      call.run();
    } finally {
      calling.remove();
    }
  }

  @Override
  public boolean calls(Method method) {
    if (calling.get() == null || !ListenerMethods.include(method)) return false;
    calling.remove(); // the container does not call methods that the listener calls
    return true;
  }
}
