package io.sluice.cli.redrive;

import io.sluice.cli.common.Progress;
import io.sluice.cli.redrive.LetterFate.Cause;
import io.sluice.runtime.cluster.RecordPosition;
import io.sluice.runtime.cluster.RedriveSender.Returned;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Run of a redrive: checks the dead letters one after another, and sends those that can be read in
 * transactions of some hundred letters. Another thread may close the run, which first finishes the
 * current transaction.
 */
final class RedriveRun implements AutoCloseable {
  /** Letters of a transaction: readers of the input topics wait while it is open. */
  private static final int MOST_LETTERS = 500;

  private static final long MOST_BYTES = 4 << 20;

  private final Letters letters;
  private final Sending sending;
  private final long most;
  private final Progress progress;
  private final RedriveResult result = new RedriveResult();
  private final List<Returned> batch = new ArrayList<>();
  private long batchBytes;
  private long checked;
  private volatile boolean closed;

  /** Dead letters, and the decisions on them. */
  interface Letters {
    /** Returns the next letter; empty after the last. */
    Optional<ConsumerRecord<byte[], byte[]>> next();

    /** Returns how much of the topics was read, in percent. */
    long percent();

    /** Whether the options of the command select a letter. */
    boolean wants(ConsumerRecord<byte[], byte[]> letter);

    /** Whether an earlier run has sent a letter. */
    boolean isSent(ConsumerRecord<byte[], byte[]> letter);

    LetterFate fate(ConsumerRecord<byte[], byte[]> letter);
  }

  /** Transaction that sends letters; a dry run sends none. */
  interface Sending {
    /** Sends letters, and returns those that an input topic refuses, with the reasons. */
    Map<Returned, String> send(Collection<Returned> letters);
  }

  /**
   * @param most largest number of letters to send
   */
  RedriveRun(Letters letters, Sending sending, long most, Progress progress) {
    this.letters = letters;
    this.sending = sending;
    this.most = most;
    this.progress = progress;
  }

  /**
   * Takes all letters, or as many as may be sent; returns false if the run was closed before the
   * end.
   */
  boolean take() {
    boolean more = true;
    while (more && !closed) {
      if (isFull()) flush();
      more = !isEnough() && takeNext();
    }
    flush();
    progress.end();
    return !closed;
  }

  private boolean isFull() {
    return batch.size() >= MOST_LETTERS || batchBytes >= MOST_BYTES || isEnoughIfAllAreSent();
  }

  private boolean isEnoughIfAllAreSent() {
    return !batch.isEmpty() && result.sent() + batch.size() >= most;
  }

  /** Whether as many letters were sent as may be sent. */
  boolean isEnough() {
    return result.sent() >= most;
  }

  private boolean takeNext() {
    Optional<ConsumerRecord<byte[], byte[]>> next = letters.next();
    next.ifPresent(this::check);
    progress.show(
        ++checked,
        perSecond ->
            "%d %% of the dead letters read, %,d a second; %,d sent"
                .formatted(letters.percent(), perSecond, result.sent()));
    return next.isPresent();
  }

  private void check(ConsumerRecord<byte[], byte[]> letter) {
    if (!letters.wants(letter)) return;
    if (letters.isSent(letter)) {
      result.countSentBefore();
      return;
    }
    LetterFate fate = letters.fate(letter);
    if (fate instanceof LetterFate.Left left) countLeft(letter, left.cause(), left.why());
    else if (fate instanceof LetterFate.Sendable sendable) {
      batch.add(new Returned(letter, sendable.original()));
      batchBytes += Math.max(0, letter.serializedKeySize());
      batchBytes += Math.max(0, letter.serializedValueSize());
    }
  }

  private void countLeft(ConsumerRecord<byte[], byte[]> letter, Cause cause, String why) {
    result.countLeft(LetterFilter.reason(letter), cause, RecordPosition.of(letter).toString(), why);
  }

  /** Sends the collected letters. The thread that closes the run waits until this has ended. */
  private synchronized void flush() {
    if (closed || batch.isEmpty()) return;
    Map<Returned, String> refused = sending.send(batch);
    for (Returned each : batch) {
      String why = refused.get(each);
      if (why == null) result.countSent(LetterFilter.reason(each.letter()));
      else countLeft(each.letter(), Cause.OTHER, each.original().topic() + " refuses it: " + why);
    }
    batch.clear();
    batchBytes = 0;
  }

  RedriveResult result() {
    return result;
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
