package io.sluice.cli.ask;

import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.common.Progress;
import io.sluice.cli.limits.ClusterRevisions;
import io.sluice.live.change.RevisionFormatter;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.runtime.cluster.PastRecords;
import io.sluice.runtime.cluster.PastRecords.RecordKey;
import io.sluice.topology.config.NonEvents;
import io.sluice.topology.config.SluiceConfig;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Search for the last events of a key in the topics of allowed, rejected and delayed events, up to
 * the records that exist when the search begins. Memory holds the newest matching events and some
 * records of each partition.
 *
 * @param since records with an earlier timestamp are skipped
 * @param most maximum number of events in the result; the newest are kept
 * @param key record key of the events in Kafka, if known: then only one partition of each topic is
 *     read
 */
record LastEvents(
    SluiceConfig config, Wanted wanted, Instant since, int most, Optional<RecordKey> key) {
  /**
   * Result of a search.
   *
   * @param newest the newest matching events, in the order of their times
   * @param all number of all matching events
   * @param unreadable number of records that cannot be decoded as events of this application
   */
  record Found(List<PastVerdict> newest, long all, long unreadable) {}

  /**
   * Searches the topics and returns the matching events.
   *
   * @param err receives the progress line
   * @throws io.sluice.rules.StartException if the topics cannot be read
   */
  Found find(PrintWriter err) {
    LimitsInForce limits =
        LimitsInForce.of(config.limitsConfig()).with(ClusterRevisions.read(config));
    Search search = new Search(new VerdictReader(config, limits));
    Progress progress = new Progress(err);
    try (PastRecords records = PastRecords.openVerdicts(config, key, since)) {
      long read = 0;
      for (var next = next(records); next.isPresent(); next = next(records)) {
        search.look(next.get());
        long so = ++read;
        progress.show(
            so, each -> "%,d of %,d records, %,d a second".formatted(so, records.size(), each));
      }
    } catch (SchemasUnavailableException e) {
      throw new CommandFailedException(e.getMessage(), e);
    } finally {
      progress.end();
    }
    return search.found();
  }

  private static Optional<ConsumerRecord<byte[], byte[]>> next(PastRecords records) {
    return records.next(() -> {});
  }

  /** Returns notes on the result, for example that there are more events than shown. */
  List<String> remarks(Found found) {
    List<String> remarks = new ArrayList<>();
    String whose = RevisionFormatter.plain(wanted.toString());
    if (found.all == 0) {
      remarks.add(
          "no events of " + whose + " since " + RevisionFormatter.time(since.toEpochMilli()));
    }
    if (found.all > found.newest.size()) {
      remarks.add("the newest " + most + " of " + found.all + " events; --most shows more");
    }
    if (found.unreadable > 0) {
      remarks.add(found.unreadable + " records are not readable as events, and are not shown");
    }
    return remarks;
  }

  private final class Search {
    private final VerdictReader reader;

    /** The newest matching events so far, the oldest of them first. */
    private final PriorityQueue<PastVerdict> newest = new PriorityQueue<>(PastVerdict.ORDER);

    private long all;
    private long unreadable;

    Search(VerdictReader reader) {
      this.reader = reader;
    }

    /**
     * Adds the record's event to the result if the event matches. Skips records with timestamps
     * before {@code since}, which can follow newer ones, because a delayed event keeps its
     * timestamp when it is released.
     */
    void look(ConsumerRecord<byte[], byte[]> record) {
      if (record.timestamp() < since.toEpochMilli()) return;
      try {
        reader.read(record, wanted).ifPresent(this::keep);
      } catch (UnreadableEventException e) {
        // Records that are passed on without metering have no event and no user.
        NonEvents.Policy policy = config.nonEvents().of(e.kind(), record.key(), record.value());
        if (policy != NonEvents.Policy.ALLOW) unreadable++;
      }
    }

    private void keep(PastVerdict verdict) {
      all++;
      newest.add(verdict);
      if (newest.size() > most) newest.remove();
    }

    Found found() {
      return new Found(newest.stream().sorted(PastVerdict.ORDER).toList(), all, unreadable);
    }
  }
}
