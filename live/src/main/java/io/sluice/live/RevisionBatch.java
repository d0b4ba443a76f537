package io.sluice.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.PlainText;
import io.sluice.live.LimitsReport.Outcome;
import io.sluice.rules.revision.LimitRevision;
import io.sluice.rules.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.RevisionReader;
import io.sluice.rules.revision.RevisionStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batch of records from the topic of revisions, which is applied to the limits in force as a whole.
 * Not thread-safe.
 */
final class RevisionBatch {
  private static final Logger LOG = LoggerFactory.getLogger(RevisionBatch.class);
  private static final int LONGEST_KEY = 100;

  private final RevisionReader reader;
  private final Tally tally;

  /** Last revision of each id in the batch; empty if the batch deletes the revision. */
  private final Map<String, Optional<LimitRevision>> changes = new LinkedHashMap<>();

  private final BoundedLog lines;

  /** Receiver of the timestamps and outcomes of the records. */
  interface Tally {
    /**
     * Called with the timestamp of each revision, in epoch milliseconds; not for a tombstone or an
     * unreadable record.
     */
    void newest(long timestampMs);

    void count(Outcome outcome);

    /**
     * Returns the part of a revision that changes limits of this program; empty if there is none.
     */
    default Optional<LimitRevision> adapted(LimitRevision revision) {
      return Optional.of(revision);
    }
  }

  RevisionBatch(RevisionReader reader, Tally tally, BoundedLog lines) {
    this.reader = reader;
    this.tally = tally;
    this.lines = lines;
  }

  void take(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null) {
      takeBack(record);
      tally.count(Outcome.REMOVED);
      return;
    }
    try {
      LimitRevision read = reader.ofRecord(record.key(), record.value(), record.timestamp());
      tally.newest(record.timestamp());
      changes.put(read.id(), tally.adapted(read));
    } catch (UnreadableRevisionException e) {
      unreadable(record, e.getMessage());
      // An unreadable record replaces the earlier revision of its key, which compaction will
      // remove.
      takeBack(record);
    }
  }

  private void takeBack(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() != null) changes.put(new String(record.key(), UTF_8), Optional.empty());
  }

  /**
   * Counts and logs a record that is neither a valid revision nor a valid record of an instance.
   */
  void unreadable(ConsumerRecord<byte[], byte[]> record, String why) {
    tally.count(Outcome.UNREADABLE);
    lines.add(
        "%s at offset %d, key %s: not read: %s"
            .formatted(
                record.topic(), record.offset(), shown(record.key()), PlainText.message(why)));
  }

  private static String shown(byte[] key) {
    if (key == null) return "none";
    return PlainText.of(new String(key, 0, Math.min(key.length, LONGEST_KEY), UTF_8));
  }

  /**
   * Applies the batch to the previous limits, and logs which of its revisions are refused, and why.
   */
  LimitsInForce over(LimitsInForce before, long nowMs) {
    List<LimitRevision> more = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    changes.forEach((id, change) -> change.ifPresentOrElse(more::add, () -> gone.add(id)));
    LimitsInForce after = before.with(more, gone);
    after.revisions(changes.keySet(), nowMs).forEach(this::note);
    lines.warn(LOG);
    return after;
  }

  private void note(RevisionStatus status) {
    Collection<RevisionStatus.Refusal> refusals = status.refusals();
    tally.count(refusals.isEmpty() ? Outcome.APPLIED : Outcome.REFUSED);
    refusals.stream()
        .findFirst()
        .ifPresent(
            first ->
                lines.add(
                    "revision %s of limit %s is refused%s: %s"
                        .formatted(
                            PlainText.of(status.revision().id()),
                            status.revision().limit(),
                            status.standing() == RevisionStatus.Standing.REFUSED
                                ? ""
                                : " for a part of its time",
                            PlainText.message(first.reason()))));
  }
}
