package io.sluice.spring.kafka;

import io.sluice.spring.proxy.ListenerMethods;
import io.sluice.spring.proxy.PatientCaller;
import java.lang.reflect.Method;

/** The calls that containers are making, each by a thread of its own. */
public final class ContainerCalls implements PatientCaller {
  private final ThreadLocal<Boolean> calling = new ThreadLocal<>();

  /** Makes a call of a listener. */
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
    calling.remove(); // what the listener calls now is called by the listener
    return true;
  }
}
