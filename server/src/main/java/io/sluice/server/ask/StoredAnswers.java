package io.sluice.server.ask;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.Quota;
import io.sluice.limiter.RowMeter;
import io.sluice.limiter.rows.Conditions;
import io.sluice.limiter.rows.Rows;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.topology.delay.KeyOrder;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.queue.KeyLine;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Answers queries about limits on the state store from the stores of this process, on the caller's
 * thread. It works also while no events are processed.
 */
final class StoredAnswers {
  private static final int MOST_TRIES = 200;
  private static final long PARK_NANOS = 50_000;

  private final LocalInstance here;
  private final CurrentLimits limits;
  private final Conditions conditions;

  /**
   * Creates the answers from the stores of this process.
   *
   * @param repeats whether the rows may contain the changes of an arrival that will come again, as
   *     with at-least-once
   */
  StoredAnswers(LocalInstance here, CurrentLimits limits, int partitions, boolean repeats) {
    this.here = here;
    this.limits = limits;
    conditions = new Conditions(partitions, repeats, Conditions.ALONE.earliest(), limit -> {});
  }

  /** Reads the state of a key; empty if this process does not have the key's partition. */
  Optional<KeyStatus> about(KeyQuery question, int partition) {
    try {
      Judgement judgement = judged(question, here.store(Nodes.LIMITS, partition));
      LocalInstance.Copy copy = here.copy(Nodes.LIMITS, partition);
      return Optional.of(
          new KeyStatus(
              judgement, waiting(question, partition, judgement), copy.role(), copy.behind()));
    } catch (InvalidStateStoreException e) {
      return Optional.empty();
    }
  }

  /**
   * Adds the events of the key that wait in line on a partition to what Redis knows of the key;
   * adds none if this process does not have the partition.
   */
  KeyStatus withLine(KeyQuery question, int partition, KeyStatus found) {
    try {
      return found.with(waiting(question, partition, found.judgement()));
    } catch (InvalidStateStoreException e) {
      return found;
    }
  }

  private Judgement judged(KeyQuery question, ReadOnlyKeyValueStore<Bytes, byte[]> store) {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      AskedRows rows = new AskedRows(store);
      try {
        Judgement judgement = judged(question, rows);
        if (rows.areUnchanged()) return judgement;
      } catch (RuntimeException e) {
        // The rows that were read may be of different instants, and then form no valid state.
        if (rows.areUnchanged()) throw e;
      }
      LockSupport.parkNanos(PARK_NANOS);
    }
    throw new IllegalStateException("the key changes too fast for a consistent answer; try again");
  }

  private Judgement judged(KeyQuery question, AskedRows rows) {
    return new RowMeter(rows, conditions)
        .probe(question.arrival(), List.of(question.bucket()))
        .ask()
        .judgements()
        .get(0);
  }

  private List<KeyWaiting> waiting(KeyQuery question, int partition, Judgement judgement) {
    boolean queues = question.limit().queues();
    if (!question.rule().shapes() && !queues) return List.of();
    ReadOnlyKeyValueStore<Bytes, byte[]> store = here.store(Nodes.WAITING, partition);
    if (queues) return List.of(inLine(question, KeyLine.of(store, question.bucket()), judgement));
    String key = question.bucket().key();
    return List.of(KeyWaiting.of(KeyOrder.waiting(store, question.limit().name(), key)));
  }

  private KeyWaiting inLine(KeyQuery question, KeyLine line, Judgement judgement) {
    long opensMicros = judgement.nowMicros();
    if (question.withHours(judgement).decision() instanceof Decision.NonConforming refused)
      opensMicros += refused.retryAfterMicros();
    Map<String, Quota> quotas = new HashMap<>();
    for (Limit each : limits.known().at(question.nowMs()).all())
      quotas.put(each.name(), each.rule().quota());
    KeyWaiting waiting = KeyWaiting.of(line, (opensMicros + 999) / 1_000, question.nowMs(), quotas);
    return question.isPausedForGood() ? waiting.withoutNext() : waiting;
  }

  /**
   * Read-only view of a state store for one API query, while a stream thread may change the store.
   * The state of a key may span several rows; it is consistent if no row has changed since it was
   * read.
   */
  private static final class AskedRows implements Rows {
    private static final byte[] NONE = {};

    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;
    private final Map<Bytes, byte[]> read = new HashMap<>();

    AskedRows(ReadOnlyKeyValueStore<Bytes, byte[]> store) {
      this.store = store;
    }

    @Override
    public byte[] get(byte[] key) {
      byte[] row = read.computeIfAbsent(Bytes.wrap(key), this::row);
      return row == NONE ? null : row;
    }

    private byte[] row(Bytes key) {
      byte[] row = store.get(key);
      return row == null ? NONE : row;
    }

    /**
     * Whether all rows that were read still have the same values, so that together they show one
     * instant.
     */
    boolean areUnchanged() {
      return read.size() < 2
          || read.entrySet().stream()
              .allMatch(each -> Arrays.equals(row(each.getKey()), each.getValue()));
    }

    @Override
    public void put(byte[] key, byte[] value) {
      throw new UnsupportedOperationException("a query must not change rows");
    }

    @Override
    public void delete(byte[] key) {
      throw new UnsupportedOperationException("a query must not change rows");
    }
  }
}
