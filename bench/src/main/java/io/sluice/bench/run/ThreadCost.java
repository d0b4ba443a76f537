package io.sluice.bench.run;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/**
 * Resources that the stream threads of an application have used since their start.
 *
 * @param cpuNanos CPU time in nanoseconds, which hardly depends on other load of the machine
 * @param garbageBytes allocated bytes, all of which become garbage
 */
public record ThreadCost(long cpuNanos, long garbageBytes) {

  public static ThreadCost ofStreamThreads(String applicationId) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long nanos = 0;
    long bytes = 0;
    for (ThreadInfo each : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (each != null && isTheirs(each.getThreadName(), applicationId)) {
        nanos += Math.max(0, threads.getThreadCpuTime(each.getThreadId()));
        bytes += Math.max(0, threads.getThreadAllocatedBytes(each.getThreadId()));
      }
    }
    return new ThreadCost(nanos, bytes);
  }

  private static boolean isTheirs(String thread, String applicationId) {
    return thread.startsWith(applicationId + "-") && thread.contains("-StreamThread-");
  }
}
