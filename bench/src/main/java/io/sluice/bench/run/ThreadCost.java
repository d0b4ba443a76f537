package io.sluice.bench.run;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/**
 * Resources that the threads of an application have used since their start.
 *
 * @param cpuNanos CPU time of the stream threads in nanoseconds, which hardly depends on other load
 *     of the machine
 * @param garbageBytes bytes that the stream threads allocated, all of which become garbage
 * @param senderNanos CPU time of the threads that send records and that ask Redis ahead,
 *     nanoseconds
 */
public record ThreadCost(long cpuNanos, long garbageBytes, long senderNanos) {

  public static ThreadCost of(String applicationId) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long nanos = 0;
    long bytes = 0;
    long senderNanos = 0;
    for (ThreadInfo each : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (each == null) continue;
      String name = each.getThreadName();
      long used = Math.max(0, threads.getThreadCpuTime(each.getThreadId()));
      if (isSender(name, applicationId)) {
        senderNanos += used;
      } else if (name.startsWith(applicationId + "-") && name.contains("-StreamThread-")) {
        nanos += used;
        bytes += Math.max(0, threads.getThreadAllocatedBytes(each.getThreadId()));
      }
    }
    return new ThreadCost(nanos, bytes, senderNanos);
  }

  /** The names of threads that ask Redis have no application id, but only one application runs. */
  private static boolean isSender(String thread, String applicationId) {
    return thread.startsWith("kafka-producer-network-thread | " + applicationId + "-")
        || thread.startsWith("sluice-redis-ahead");
  }
}
