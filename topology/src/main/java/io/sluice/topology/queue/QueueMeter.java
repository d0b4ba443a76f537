package io.sluice.topology.queue;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Metering;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.rules.limit.Matching;
import io.sluice.rules.limit.Verdict;
import io.sluice.topology.intake.EventRecord;
import java.util.List;
import org.apache.kafka.streams.processor.api.Record;

/** Meters the events of a queue, and passes on those that leave it. */
public interface QueueMeter {
  /**
   * Meters an event against the limits that match it; those on the state store first.
   *
   * @throws LimiterUnavailableException if Redis does not answer
   */
  Outcome meter(EventRecord event, Matching matching, Arrival arrival);

  /** Judges an event by buckets on the state store, without a charge yet. */
  Metering probe(Arrival arrival, List<Bucket> stored);

  /** Marks an event as faulty, because a key of it cannot be used. */
  void refuse(EventRecord event, UnreadableKeyException why);

  /** Decodes an event that has waited; marks it as faulty if that fails. */
  void open(Record<byte[], EventRecord> record);

  /**
   * Counts a verdict, and returns the record with the headers of the verdict.
   *
   * @param nowMs instant of the verdict, epoch milliseconds
   */
  Record<byte[], EventRecord> judged(
      Record<byte[], EventRecord> record, Verdict verdict, long nowMs);
}
