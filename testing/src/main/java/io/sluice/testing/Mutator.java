package io.sluice.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Generator of slightly damaged inputs, as in a fuzzer. Unlike random bytes, most of them pass the
 * first checks of a parser. The same seed gives the same inputs.
 */
public final class Mutator {
  private static final int MOST_CHANGES = 4;
  private static final int MOST_MOVED = 40;
  private static final int[] EDGES = {
    0, 1, 0x7F, 0x80, 0xFF, 0xC0, 0xED, '{', '"', '\\', '\n', '='
  };
  private static final int[] HUGE_LENGTH = {0xFE, 0xFF, 0xFF, 0xFF, 0x0F};

  private final SplittableRandom random;
  private final List<byte[]> corpus;
  private final List<byte[]> words;

  /**
   * @param corpus valid inputs to start from
   * @param words texts with a meaning for the parser
   */
  public Mutator(SplittableRandom random, List<byte[]> corpus, String... words) {
    this.random = random;
    this.corpus = corpus;
    this.words = Arrays.stream(words).map(word -> word.getBytes(UTF_8)).toList();
  }

  /** Returns an input of the corpus with up to four changes. */
  public byte[] next() {
    byte[] bytes = any(corpus);
    for (int left = random.nextInt(MOST_CHANGES + 1); left > 0; left--) bytes = changed(bytes);
    return bytes;
  }

  private byte[] changed(byte[] bytes) {
    int from = random.nextInt(bytes.length + 1);
    int to = Math.min(bytes.length, from + 1 + random.nextInt(MOST_MOVED));
    return switch (random.nextInt(9)) {
      case 0 -> put(bytes, from, (byte) (1 << random.nextInt(8)), true);
      case 1 -> put(bytes, from, (byte) EDGES[random.nextInt(EDGES.length)], false);
      case 2 -> put(bytes, from, (byte) random.nextInt(256), false);
      case 3 -> replaced(bytes, from, from, any(words));
      case 4 -> replaced(bytes, from, to, any(words));
      case 5 -> replaced(bytes, from, to, new byte[0]);
      case 6 -> replaced(bytes, from, from, Arrays.copyOfRange(bytes, from, to));
      case 7 -> spliced(bytes, from, any(corpus));
      default -> replaced(bytes, from, Math.min(bytes.length, from + 1), hugeLength());
    };
  }

  private static byte[] put(byte[] bytes, int at, byte changed, boolean toggles) {
    if (at == bytes.length) return bytes;
    byte[] copy = bytes.clone();
    copy[at] = (byte) (toggles ? copy[at] ^ changed : changed);
    return copy;
  }

  private static byte[] replaced(byte[] bytes, int from, int to, byte[] by) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, from);
    out.writeBytes(by);
    out.write(bytes, to, bytes.length - to);
    return out.toByteArray();
  }

  /** Joins the beginning of one input and the end of another. */
  private byte[] spliced(byte[] bytes, int at, byte[] other) {
    return replaced(
        bytes,
        at,
        bytes.length,
        Arrays.copyOfRange(other, random.nextInt(other.length), other.length));
  }

  private static byte[] hugeLength() {
    byte[] length = new byte[HUGE_LENGTH.length];
    for (int i = 0; i < length.length; i++) length[i] = (byte) HUGE_LENGTH[i];
    return length;
  }

  private byte[] any(List<byte[]> some) {
    return some.get(random.nextInt(some.size()));
  }
}
