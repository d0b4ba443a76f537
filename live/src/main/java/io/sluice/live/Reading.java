package io.sluice.live;

import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionReader;
import java.time.InstantSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Limits in force from the records of the topic of revisions, which are applied in their order. Not
 * thread-safe.
 */
final class Reading implements LimitsLog.Reader, RevisionBatch.Tally {
  private final LimitsInForce configured;
  private final InstanceDigests peers;
  private final LimitsReport report;
  private final InstantSource clock;
  private final RevisionReader reader = new RevisionReader();
  private LimitsInForce inForce;
  private RevisionBatch batch;

  /**
   * Whether the topic has been read to its end once, so that later records of instances are new.
   */
  private boolean follows;

  Reading(
      LimitsInForce configured, InstanceDigests peers, LimitsReport report, InstantSource clock) {
    this.configured = configured;
    this.peers = peers;
    this.report = report;
    this.clock = clock;
    inForce = configured;
    batch = batch();
  }

  private RevisionBatch batch() {
    return new RevisionBatch(reader, this, new BoundedLog());
  }

  @Override
  public void newest(long timestampMs) {
    report.newestRevision(timestampMs);
  }

  @Override
  public void count(LimitsReport.Outcome outcome) {
    report.count(outcome);
  }

  @Override
  public void take(Iterable<ConsumerRecord<byte[], byte[]>> records) {
    for (ConsumerRecord<byte[], byte[]> each : records) {
      if (InstanceRecord.isKey(each.key())) takeInstance(each);
      else batch.take(each);
    }
  }

  private void takeInstance(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      peers.ended(InstanceRecord.idOf(record.key()));
      return;
    }
    if (!follows) return;
    try {
      peers.wrote(InstanceRecord.read(record.key(), record.value()));
    } catch (IllegalArgumentException e) {
      batch.unreadable(record, e.getMessage());
    }
  }

  /** Returns the limits in force as of the last call of {@link #made}. */
  LimitsInForce inForce() {
    return inForce;
  }

  /** Applies all records taken since the last call, and returns the limits in force. */
  LimitsInForce made() {
    inForce = batch.over(inForce, clock.millis());
    // The batch is replaced only after success, so that a failed batch is applied again.
    batch = batch();
    follows = true;
    peers.look();
    return inForce;
  }

  /** Starts again with the configured limits, because the topic must be read from its beginning. */
  void restart() {
    inForce = configured;
    batch = batch();
    follows = false;
  }
}
