package io.sluice.embedded;

import java.util.Set;
import java.util.stream.Collectors;

/** Finds the threads of embedded brokers in this JVM. */
final class BrokerThread {
  private BrokerThread() {}

  /** Returns the threads that are not daemons. */
  static Set<Thread> allThatHoldTheJvm() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.isDaemon())
        .filter(thread -> thread.getThreadGroup() instanceof BrokerThreads)
        .collect(Collectors.toSet());
  }
}
