package io.sluice.topology.intake;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Identity;
import io.sluice.rules.event.Event;
import io.sluice.rules.limit.Verdict.Duplicates;
import io.sluice.topology.config.SluiceConfig;
import org.apache.kafka.streams.processor.api.ProcessingContext;

/**
 * Factory of the arrivals that limiters judge. An arrival consists of the identity, the cost and
 * the time of an event.
 *
 * @param byEventTime whether events are metered at their own times; otherwise by the wall clock
 * @param latenessMs how far an event's time may be behind the latest event time of its partition,
 *     milliseconds; an event further behind is metered as if it was exactly this far behind
 */
public record Arrivals(boolean byEventTime, long latenessMs, Duplicates duplicates) {
  public static Arrivals of(SluiceConfig config) {
    return new Arrivals(
        config.judgesByEventTime(), config.timeLateness().toMillis(), config.limits().duplicates());
  }

  /**
   * Returns the time at which an event is metered, epoch milliseconds. By event time, this is the
   * event's own time, or its due time if it is metered again, but at most {@code latenessMs} before
   * the partition's latest event time. By the wall clock, it is the current time, or the due time
   * if that is later.
   *
   * @param partitionMs latest event time of the event's home partition, including this event
   */
  public long comesAtMs(EventRecord event, long partitionMs, long wallMs) {
    if (!byEventTime) return Math.max(wallMs, event.dueMs());
    long ownMs = event.attempt() > 1 ? event.dueMs() : event.event().occurredAtMs();
    return Math.max(ownMs, partitionMs - latenessMs);
  }

  /** Returns the instant before which no later event is metered, epoch milliseconds. */
  public long earliestMs(long partitionMs, long wallMs) {
    return byEventTime ? Math.max(0, partitionMs - latenessMs) : wallMs;
  }

  /**
   * Returns the clock of a task: its stream time (latest event time), or the wall clock. Both are
   * read from the context of Kafka Streams, since its test driver can set them.
   */
  public long clockMs(ProcessingContext context) {
    return byEventTime ? context.currentStreamTimeMs() : context.currentSystemTimeMs();
  }

  public Arrival of(EventRecord record, long comesAtMs) {
    return new Arrival(identity(record), record.event().cost(), comesAtMs * 1_000);
  }

  private Identity identity(EventRecord record) {
    Event event = record.event();
    String origin = record.origin().toString();
    Identity.Source source =
        new Identity.Source(origin, event.userId(), event.occurredAtMs(), event.cost());
    boolean claimed = duplicates != Duplicates.CHARGE && !event.eventId().equals(origin);
    return claimed
        ? Identity.of(event.userId(), event.action(), claim(event), source)
        : Identity.of(source);
  }

  /**
   * Returns the id by which duplicates of an event are recognised. If duplicates get the first
   * verdict again, the id includes the cost, so that the verdict is repeated only for the same
   * cost.
   */
  private String claim(Event event) {
    return duplicates == Duplicates.REPEAT ? event.cost() + "/" + event.eventId() : event.eventId();
  }
}
