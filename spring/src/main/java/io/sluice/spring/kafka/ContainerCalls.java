package io.sluice.spring.kafka;

import io.sluice.spring.proxy.ListenerMethods;
import io.sluice.spring.proxy.PatientCaller;
import java.lang.reflect.Method;

/** Marks the thread on which a listener container is calling its listener. */
public final class ContainerCalls implements PatientCaller {
  private final ThreadLocal<Boolean> calling = new ThreadLocal<>();

  /** Calls a listener. */
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
    calling.remove(); // methods that the listener calls are not called by the container
    return true;
  }
}
