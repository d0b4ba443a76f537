package io.sluice.limiter.rows;

import io.sluice.limiter.rows.Fields.Varint;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Entries of a sliding window log in order of time, packed in a byte array: about 14 bytes for each
 * arrival where arrivals are dense, and 2 bytes without a fingerprint. A cursor reads the entries;
 * new entries are added at the end.
 */
final class LogEntries {
  /*
   * An entry begins with varint(microseconds since the entry before << 3 | the flags NAMED, COSTLY
   * and REFUSED). With COSTLY, varint(cost) follows; otherwise the cost is 1. With NAMED, the
   * fingerprint's event and record hashes follow. The first entry counts from the base instant. A
   * refused attempt has no fingerprint, because it only counts.
   */
  static final int ID_BYTES = Long.BYTES + Integer.BYTES;

  private static final int REFUSED = 1;
  private static final int COSTLY = 2;
  private static final int NAMED = 4;
  private static final int FLAG_BITS = 3;
  static final int MOST_ENTRY_BYTES = 10 + 10 + ID_BYTES;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes;
  private int start;
  private int end;
  private long baseMicros;
  private boolean shared;

  LogEntries() {
    this(0, new byte[0], 0);
  }

  /**
   * Creates entries from those stored in {@code bytes} from {@code start} on. The array is copied
   * before it is changed.
   */
  LogEntries(long baseMicros, byte[] bytes, int start) {
    this(baseMicros, bytes, start, bytes.length);
  }

  /**
   * Creates entries from those stored in {@code bytes} from {@code start} to {@code end}. The array
   * is copied before it is changed.
   */
  LogEntries(long baseMicros, byte[] bytes, int start, int end) {
    this.baseMicros = baseMicros;
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    shared = true;
  }

  boolean isEmpty() {
    return start == end;
  }

  int size() {
    return end - start;
  }

  /**
   * Returns the instant from which the first entry counts, in epoch microseconds; no entry is
   * earlier.
   */
  long baseMicros() {
    return baseMicros;
  }

  int start() {
    return start;
  }

  void copyTo(byte[] target, int offset) {
    System.arraycopy(bytes, start, target, offset, size());
  }

  Cursor cursor() {
    return new Cursor();
  }

  /** Drops the entries up to and including the cursor's present one. */
  void dropThrough(Cursor cursor) {
    start = cursor.next;
    baseMicros = cursor.atMicros;
  }

  /**
   * Adds an entry at the end. It must be no earlier than the last entry, which is at {@code
   * newestMicros}.
   */
  void append(
      long newestMicros, long atMicros, long cost, boolean refused, Fingerprint fingerprint) {
    if (isEmpty()) baseMicros = newestMicros = atMicros;
    makeRoom();
    end = write(bytes, end, atMicros - newestMicros, cost, refused, fingerprint);
  }

  /** Returns the number of bytes that {@link #write} needs for an entry. */
  static int bytesOf(long sinceMicros, long cost, Fingerprint fingerprint) {
    int head = Varint.size(sinceMicros << FLAG_BITS | NAMED); // any flags take the same space
    return head + (cost == 1 ? 0 : Varint.size(cost)) + (fingerprint.isNone() ? 0 : ID_BYTES);
  }

  /** Writes an entry at {@code offset}, and returns the offset after the entry. */
  static int write(
      byte[] bytes,
      int offset,
      long sinceMicros,
      long cost,
      boolean refused,
      Fingerprint fingerprint) {
    int flags =
        (fingerprint.isNone() ? 0 : NAMED) + (cost == 1 ? 0 : COSTLY) + (refused ? REFUSED : 0);
    int at = Varint.write(bytes, offset, sinceMicros << FLAG_BITS | flags);
    if (cost != 1) at = Varint.write(bytes, at, cost);
    if (fingerprint.isNone()) return at;
    LONGS.set(bytes, at, fingerprint.event());
    INTS.set(bytes, at + Long.BYTES, fingerprint.record());
    return at + ID_BYTES;
  }

  /** Inserts an entry at its place in the order of time, by writing all entries again. */
  void insert(long atMicros, long cost, boolean refused, Fingerprint fingerprint) {
    LogEntries merged = new LogEntries();
    long newest = 0;
    boolean placed = false;
    for (Cursor each = cursor(); each.advance(); ) {
      if (!placed && each.atMicros > atMicros) {
        merged.append(newest, atMicros, cost, refused, fingerprint);
        newest = atMicros;
        placed = true;
      }
      merged.append(newest, each.atMicros, each.cost, each.refused, each.fingerprint());
      newest = each.atMicros;
    }
    if (!placed) merged.append(newest, atMicros, cost, refused, fingerprint);
    bytes = merged.bytes;
    start = merged.start;
    end = merged.end;
    baseMicros = merged.baseMicros;
    shared = false;
  }

  /** Whether any entry has this event hash. */
  boolean hold(long event) {
    for (Cursor each = cursor(); each.advance(); ) if (each.event == event) return true;
    return false;
  }

  /**
   * Returns the earlier charge of an arrival with this fingerprint, if the charge was after {@code
   * sinceMicros}.
   */
  PriorCharge prior(Fingerprint fingerprint, long sinceMicros) {
    PriorCharge prior = PriorCharge.NONE;
    for (Cursor each = cursor(); each.advance(); ) {
      if (each.event == fingerprint.event() && each.atMicros > sinceMicros) {
        prior = PriorCharge.stronger(prior, each.prior(fingerprint));
      }
    }
    return prior;
  }

  /** Removes the older entries, which are about half of the bytes, and returns them. */
  LogEntries takeOlderHalf() {
    Cursor each = cursor();
    while (each.next - start < size() / 2) each.advance();
    LogEntries older = new LogEntries(baseMicros, Arrays.copyOfRange(bytes, start, each.next), 0);
    dropThrough(each);
    return older;
  }

  private void makeRoom() {
    if (!shared && bytes.length - end >= MOST_ENTRY_BYTES) return;
    int size = size();
    byte[] wider = new byte[size + Math.max(size / 2, 2 * MOST_ENTRY_BYTES)];
    System.arraycopy(bytes, start, wider, 0, size);
    bytes = wider;
    start = 0;
    end = size;
    shared = false;
  }

  /** Cursor that reads the entries, from the oldest on. */
  final class Cursor {
    private int next = start;
    private long atMicros = baseMicros;
    private long cost;
    private boolean refused;
    private long event;
    private int record;

    private Cursor() {}

    boolean advance() {
      if (next >= end) return false;
      long head = Varint.read(bytes, next);
      next += Varint.size(head);
      atMicros += head >>> FLAG_BITS;
      refused = (head & REFUSED) != 0;
      cost = 1;
      if ((head & COSTLY) != 0) {
        cost = Varint.read(bytes, next);
        next += Varint.size(cost);
      }
      boolean named = (head & NAMED) != 0;
      event = named ? (long) LONGS.get(bytes, next) : 0;
      record = named ? (int) INTS.get(bytes, next + Long.BYTES) : 0;
      if (named) next += ID_BYTES;
      return true;
    }

    long atMicros() {
      return atMicros;
    }

    long cost() {
      return cost;
    }

    boolean isRefused() {
      return refused;
    }

    Fingerprint fingerprint() {
      return event == 0 ? Fingerprint.NONE : new Fingerprint(event, record);
    }

    /**
     * Returns the present entry as the earlier charge of a fingerprint with the same event hash.
     */
    private PriorCharge prior(Fingerprint fingerprint) {
      return PriorCharge.of(record == fingerprint.record(), atMicros);
    }
  }
}
