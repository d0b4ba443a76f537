package io.sluice.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/**
 * The time that an application's stream threads were on a core, which a busy machine hardly
 * changes.
 */
final class CpuTime {
  private CpuTime() {}

  static long ofStreamThreads(String applicationId) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (ThreadInfo each : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (each != null && isTheirs(each.getThreadName(), applicationId)) {
        nanos += Math.max(0, threads.getThreadCpuTime(each.getThreadId()));
      }
    }
    return nanos;
  }

  private static boolean isTheirs(String thread, String applicationId) {
    return thread.startsWith(applicationId + "-") && thread.contains("-StreamThread-");
  }
}
