package io.sluice.live;

import io.sluice.live.LimitsReport.Outcome;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionReader;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Limits in force in a program without Kafka Streams, from the records of a topic that belongs to a
 * Kafka Streams application. A problem with a record is logged once, even if the topic is read
 * again. Not thread-safe.
 */
final class ForeignReading implements LimitsLog.Reader, RevisionBatch.Tally {
  private static final int MOST_REMEMBERED = 1_000;

  private final LimitsInForce configured;
  private final InstantSource clock;
  private final RevisionReader reader = new RevisionReader();
  private final Set<String> said = new HashSet<>();
  private LimitsInForce inForce;
  private RevisionBatch batch;

  ForeignReading(LimitsInForce configured, InstantSource clock) {
    this.configured = configured;
    this.clock = clock;
    inForce = configured;
    batch = batch();
  }

  private RevisionBatch batch() {
    return new RevisionBatch(reader, this, new BoundedLog(this::isNew));
  }

  private boolean isNew(String line) {
    if (said.size() == MOST_REMEMBERED) said.clear();
    return said.add(line);
  }

  @Override
  public void take(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    for (ConsumerRecord<byte[], byte[]> each : records) {
      if (!InstanceRecord.isKey(each.key())) batch.take(each);
    }
  }

  /** Applies all records taken since the last call, and returns the limits in force. */
  LimitsInForce made() {
    inForce = batch.over(inForce, clock.millis());
    // The batch is replaced only after success, so that a failed batch is applied again.
    batch = batch();
    return inForce;
  }

  /** Starts again with the configured limits, before the topic is read from its beginning. */
  void restart() {
    inForce = configured;
    batch = batch();
  }

  @Override
  public Optional<LimitRevision> adapted(LimitRevision revision) {
    return configured.adapted(revision);
  }

  @Override
  public void newest(long timestampMs) {}

  @Override
  public void count(Outcome outcome) {}
}
