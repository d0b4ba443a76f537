package io.sluice.cli.simulate;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads the lines of an input stream as bytes, without surrounding white space. Holds one line in
 * memory at a time.
 */
final class Lines implements Entries {
  /** Maximum length of a line in bytes: the default maximum size of a record in Kafka. */
  static final int LONGEST = 1 << 20;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final InputStream in;
  private final Runnable beforeWaiting;
  private final byte[] buffer = new byte[1 << 16];
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private int position;
  private int filled;
  private long number;
  private boolean tooLong;

  /**
   * @param beforeWaiting runs before each read of the stream, because a read may block
   */
  Lines(InputStream in, Runnable beforeWaiting) {
    this.in = in;
    this.beforeWaiting = beforeWaiting;
  }

  @Override
  public boolean next() throws IOException {
    line.reset();
    tooLong = false;
    if (position == filled && !fill()) return false;
    number++;
    do {
      int end = position;
      while (end < filled && buffer[end] != '\n') end++;
      take(end - position);
      position = end;
    } while (position == filled && fill());
    if (position < filled) position++; // skip the line feed
    return true;
  }

  private boolean fill() throws IOException {
    beforeWaiting.run();
    position = 0;
    filled = Math.max(0, in.read(buffer));
    return filled > 0;
  }

  private void take(int length) {
    if (line.size() + length > LONGEST) tooLong = true;
    else line.write(buffer, position, length);
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public boolean isTooLong() {
    return tooLong;
  }

  @Override
  public EntryKind kind() {
    return EntryKind.LINE;
  }

  @Override
  public byte[] bytes() {
    byte[] all = line.toByteArray();
    int from = number == 1 && startsWithMark(all) ? BYTE_ORDER_MARK.length : 0;
    int to = all.length;
    while (from < to && isBlank(all[from])) from++;
    while (to > from && isBlank(all[to - 1])) to--;
    return Arrays.copyOfRange(all, from, to);
  }

  private static boolean startsWithMark(byte[] all) {
    int length = BYTE_ORDER_MARK.length;
    return all.length >= length && Arrays.equals(all, 0, length, BYTE_ORDER_MARK, 0, length);
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\r';
  }
}
