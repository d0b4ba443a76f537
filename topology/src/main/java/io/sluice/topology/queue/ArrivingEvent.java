package io.sluice.topology.queue;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.EventHash;
import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.topology.queue.WaitingEvent.Place;
import java.util.ArrayList;
import java.util.List;

/**
 * New event that may have to wait in line.
 *
 * @param arrival at the present time
 * @param queues limits with a queue that match the event, at least one
 * @param waiting the event as the index has it if it must wait
 */
record ArrivingEvent(
    Event event, Matching matching, Arrival arrival, List<Limit> queues, WaitingEvent waiting) {
  /**
   * @param number number of the event if it must wait
   */
  static ArrivingEvent of(
      Event event, Matching matching, Arrival arrival, QueueOrder order, long number) {
    List<Limit> queues = matching.all().stream().filter(Limit::queues).toList();
    long nowMs = arrival.nowMicros() / 1_000;
    long occurredMs = event.occurredAtMs();
    long mostMs =
        queues.stream().mapToLong(each -> queue(each).maxWaitMicros()).min().orElseThrow() / 1_000;
    WaitingEvent waiting =
        new WaitingEvent(
            number,
            nowMs,
            occurredMs > nowMs ? occurredMs : 0,
            event.cost(),
            Math.min(event.expiresAtMs(), Math.max(nowMs, occurredMs) + mostMs),
            arrival.identity(),
            !matching.remote().isEmpty(),
            place(event, matching, queues, order));
    return new ArrivingEvent(event, matching, arrival, queues, waiting);
  }

  private static Place place(Event event, Matching matching, List<Limit> queues, QueueOrder order) {
    int rank = order.rankOf(event);
    long tenant = order.tenantOf(event);
    List<Limit> enforced = matching.all().stream().filter(limit -> !limit.rule().shadow()).toList();
    StringBuilder line = new StringBuilder().append(rank);
    if (order.isFair()) line.append('\0').append(tenant);
    for (Bucket bucket : Limit.buckets(enforced, event))
      line.append('\0').append(bucket.rule().name()).append('\0').append(bucket.key());
    List<Long> buckets = new ArrayList<>();
    for (Bucket bucket : Limit.buckets(queues, event)) buckets.add(Place.bucket(bucket));
    for (Limit limit : queues) {
      if (limit.hours().areAlways()) continue;
      // Events of other zones must not wait for the hours of this one.
      buckets.add(GateCheck.hoursHash(limit, event));
      line.append('\0').append(limit.hours().zoneOf(event).getId());
    }
    List<String> names = queues.stream().map(Limit::name).toList();
    return new Place(EventHash.of(line.toString()), rank, tenant, names, buckets);
  }

  private static Exceeded.Queue queue(Limit limit) {
    return (Exceeded.Queue) limit.exceeded();
  }

  long nowMs() {
    return waiting.arrivalMs();
  }

  Place place() {
    return waiting.place();
  }

  /** Returns whether a line with this number of events has no room for the event. */
  boolean exceeds(int length) {
    return queues.stream().anyMatch(each -> length >= queue(each).maxLength());
  }
}
