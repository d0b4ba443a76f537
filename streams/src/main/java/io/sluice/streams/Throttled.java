package io.sluice.streams;

import org.apache.kafka.streams.kstream.KStream;

/**
 * What comes of a stream that is throttled. Each record that goes in comes out exactly once: of
 * {@link #allowed}, {@link #rejected} or {@link #odd}.
 *
 * <p>Records have their keys, values, headers and timestamps, and headers of their verdicts, as
 * {@code sluice.headers} says; {@code sluice-} headers that they came with are gone. They are
 * partitioned by whom limits count, and not by their keys: Streams knows, and repartitions them
 * before a join or an aggregation by key. The streams have no serdes: {@code to}, joins and
 * aggregations need theirs, or the defaults of the application.
 */
public final class Throttled<K, V> {
  private final KStream<K, V> allowed;
  private final KStream<K, V> rejected;
  private final KStream<byte[], byte[]> odd;

  Throttled(KStream<K, V> allowed, KStream<K, V> rejected, KStream<byte[], byte[]> odd) {
    this.allowed = allowed;
    this.rejected = rejected;
    this.odd = odd;
  }

  /** Records within their limits: at once, or, if they were delayed, when they are due. */
  public KStream<K, V> allowed() {
    return allowed;
  }

  /** Records over a limit that rejects; a header says why. */
  public KStream<K, V> rejected() {
    return rejected;
  }

  /**
   * Records that cannot be metered: the function gave no action for them or threw, or the action is
   * bad, such as one of no user, or more than {@code sluice.time.max.ahead} in the future. Key and
   * value are the bytes that the serdes make of them, and the header {@code sluice-error} says what
   * is wrong. If nobody reads this stream, these records are dropped; they are counted in {@code
   * sluice_dead_letters_total} in any case.
   */
  public KStream<byte[], byte[]> odd() {
    return odd;
  }
}
