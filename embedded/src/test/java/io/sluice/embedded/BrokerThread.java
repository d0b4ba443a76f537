package io.sluice.embedded;

import java.util.Set;
import java.util.stream.Collectors;

/** The threads of embedded brokers, as this JVM sees them. */
final class BrokerThread {
  private BrokerThread() {}

  /** Those that are no daemons. */
  static Set<Thread> allThatHoldTheJvm() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> !thread.isDaemon())
        .filter(thread -> thread.getThreadGroup() instanceof BrokerThreads)
        .collect(Collectors.toSet());
  }
}
