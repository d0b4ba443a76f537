package io.sluice.topology.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.limiter.PlainText;
import io.sluice.topology.metrics.LimitsMetrics.Outcome;
import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.topology.revision.LimitsInForce;
import io.sluice.topology.revision.RevisionReader;
import io.sluice.topology.revision.RevisionStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records of the topic that become a change of what is in force at once. For one thread. */
final class RevisionBatch {
  private static final Logger LOG = LoggerFactory.getLogger(RevisionBatch.class);
  private static final int LONGEST_KEY = 100;

  private final RevisionReader reader;
  private final Tally tally;

  /** The last of each id; empty if it is taken back. */
  private final Map<String, Optional<LimitRevision>> changes = new LinkedHashMap<>();

  private final FewLines lines;

  /** Somebody who is told what becomes of the records. */
  interface Tally {
    /** A revision's record has this timestamp. */
    void newest(long timestampMs);

    void count(Outcome outcome);

    /** What a revision is here; nothing if it says nothing of what there is. */
    default Optional<LimitRevision> adapted(LimitRevision revision) {
      return Optional.of(revision);
    }
  }

  RevisionBatch(RevisionReader reader, Tally tally, FewLines lines) {
    this.reader = reader;
    this.tally = tally;
    this.lines = lines;
  }

  void take(ConsumerRecord<byte[], byte[]> record) {
    tally.newest(record.timestamp());
    if (record.value() == null) {
      takeBack(record);
      tally.count(Outcome.REMOVED);
      return;
    }
    try {
      LimitRevision read = reader.ofRecord(record.key(), record.value(), record.timestamp());
      changes.put(read.id(), tally.adapted(read));
    } catch (UnreadableRevisionException e) {
      unreadable(record, e.getMessage());
      // It is in the place of the earlier one, and compaction leaves nothing but it.
      takeBack(record);
    }
  }

  private void takeBack(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() != null) changes.put(new String(record.key(), UTF_8), Optional.empty());
  }

  /** Notes a record that is neither a revision nor an instance's. */
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

  /** All of it over what held before; says what is not in force, and why. */
  LimitsInForce over(LimitsInForce before, long nowMs) {
    LimitsInForce after = before;
    List<LimitRevision> more = new ArrayList<>();
    for (Map.Entry<String, Optional<LimitRevision>> each : changes.entrySet()) {
      if (each.getValue().isEmpty()) after = after.without(each.getKey());
      else more.add(each.getValue().get());
    }
    if (!more.isEmpty()) after = after.with(more);
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
