package io.sluice.topology.queue;

import io.sluice.limiter.Bucket;
import io.sluice.limiter.EventHash;
import io.sluice.limiter.Identity;
import java.util.List;

/**
 * Event that waits in line, without its record.
 *
 * @param number order of arrival in the task
 * @param arrivalMs instant since which the event waits, epoch milliseconds
 * @param notBeforeMs instant before which the event must not be released, epoch milliseconds
 * @param cost number of permits that the event needs
 * @param expiresMs instant at which the event is rejected, epoch milliseconds
 * @param identity identity of the event, by which duplicates are recognised
 * @param asksRedis whether the event cannot be metered without Redis
 * @param place line in which the event waits
 */
record WaitingEvent(
    long number,
    long arrivalMs,
    long notBeforeMs,
    long cost,
    long expiresMs,
    Identity identity,
    boolean asksRedis,
    Place place) {
  /**
   * Line in which an event waits.
   *
   * @param line hash of all buckets of the event under enforced limits, its class and its tenant
   * @param rank number of the class; 0 is the highest class
   * @param tenant hash of the tenant that has a fair share; 0 if tenants have none
   * @param limits names of the event's limits with a queue
   * @param buckets hash of the event's bucket under each of these limits, and then of the hours of
   *     those that are open at some hours only
   */
  record Place(long line, int rank, long tenant, List<String> limits, List<Long> buckets) {
    /** Returns the hash of a bucket. */
    static long bucket(Bucket bucket) {
      return bucket(bucket.rule().name(), bucket.key());
    }

    /** Returns the hash of the bucket that a key has under a limit. */
    static long bucket(String limit, String key) {
      return EventHash.of(limit + '\0' + key);
    }
  }
}
