package io.sluice.limiter;

import java.util.Arrays;

/**
 * Admitted arrivals in order of time, packed: about 8 bytes an entry where arrivals are dense. A
 * cursor walks it; new entries go to its end.
 */
final class LogEntries {
  /*
   * An entry is varint(microseconds since the entry before << 2 | costFlag << 1 | refusedFlag), then
   * varint(cost) if costFlag, else the cost is 1, then the low 48 bits of the event's hash. The
   * first entry counts from the base.
   */
  static final int ID_BYTES = 6;
  static final long ID_MASK = (1L << 48) - 1;

  private static final int MOST_ENTRY_BYTES = 10 + 10 + ID_BYTES;

  private byte[] bytes;
  private int start;
  private int end;
  private long baseMicros;

  LogEntries() {
    this(0, new byte[0], 0);
  }

  /**
   * Entries kept in {@code bytes} from {@code start} on. The array is copied before it is changed.
   */
  LogEntries(long baseMicros, byte[] bytes, int start) {
    this.baseMicros = baseMicros;
    this.bytes = bytes;
    this.start = start;
    end = bytes.length;
  }

  boolean isEmpty() {
    return start == end;
  }

  int size() {
    return end - start;
  }

  /** No entry is earlier. */
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

  /** Forgets what the cursor has passed. */
  void dropThrough(Cursor cursor) {
    start = cursor.next;
    baseMicros = cursor.atMicros;
  }

  /** Adds an entry that is no earlier than the last, which was at {@code newestMicros}. */
  void append(long newestMicros, long atMicros, long cost, boolean refused, long eventHash) {
    if (isEmpty()) baseMicros = newestMicros = atMicros;
    makeRoom();
    long costFlag = cost == 1 ? 0 : 2;
    end = Varint.write(bytes, end, (atMicros - newestMicros) << 2 | costFlag | (refused ? 1 : 0));
    if (costFlag != 0) end = Varint.write(bytes, end, cost);
    for (int shift = 0; shift < 8 * ID_BYTES; shift += 8)
      bytes[end++] = (byte) (eventHash >>> shift);
  }

  /** Adds an entry in its place among later ones, by writing all of them again. */
  void insert(long atMicros, long cost, boolean refused, long eventHash) {
    LogEntries merged = new LogEntries();
    long newest = 0;
    boolean placed = false;
    for (Cursor each = cursor(); each.advance(); ) {
      if (!placed && each.atMicros > atMicros) {
        merged.append(newest, atMicros, cost, refused, eventHash);
        newest = atMicros;
        placed = true;
      }
      merged.append(newest, each.atMicros, each.cost, each.refused, each.id);
      newest = each.atMicros;
    }
    if (!placed) merged.append(newest, atMicros, cost, refused, eventHash);
    bytes = merged.bytes;
    start = merged.start;
    end = merged.end;
    baseMicros = merged.baseMicros;
  }

  /** Takes the older entries out of here, as many as half of the bytes hold. */
  LogEntries takeOlderHalf() {
    Cursor each = cursor();
    while (each.next - start < size() / 2) each.advance();
    LogEntries older = new LogEntries(baseMicros, Arrays.copyOfRange(bytes, start, each.next), 0);
    dropThrough(each);
    return older;
  }

  private void makeRoom() {
    if (bytes.length - end >= MOST_ENTRY_BYTES) return;
    int size = size();
    byte[] wider = new byte[size + Math.max(size / 2, 2 * MOST_ENTRY_BYTES)];
    System.arraycopy(bytes, start, wider, 0, size);
    bytes = wider;
    start = 0;
    end = size;
  }

  byte[] toArray() {
    return Arrays.copyOfRange(bytes, start, end);
  }

  /** Walks the entries from the oldest on. */
  final class Cursor {
    private int next = start;
    private long atMicros = baseMicros;
    private long cost;
    private boolean refused;
    private long id;

    private Cursor() {}

    boolean advance() {
      if (next >= end) return false;
      long head = Varint.read(bytes, next);
      next += Varint.size(head);
      atMicros += head >>> 2;
      refused = (head & 1) != 0;
      cost = 1;
      if ((head & 2) != 0) {
        cost = Varint.read(bytes, next);
        next += Varint.size(cost);
      }
      id = 0;
      for (int shift = 0; shift < 8 * ID_BYTES; shift += 8) id |= (bytes[next++] & 0xffL) << shift;
      return true;
    }

    long atMicros() {
      return atMicros;
    }

    long cost() {
      return cost;
    }

    boolean is(long eventHash) {
      return id == (eventHash & ID_MASK);
    }

    /** What {@link KeyState#met} says of this entry. */
    long met() {
      return refused ? Met.refusedAt(atMicros) : atMicros;
    }
  }
}
