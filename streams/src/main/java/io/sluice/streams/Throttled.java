package io.sluice.streams;

import org.apache.kafka.streams.kstream.KStream;

/**
 * Output streams of a throttled stream. Each input record comes out exactly once: in {@link
 * #allowed}, {@link #rejected} or {@link #odd}.
 *
 * <p>Records keep key, value, headers and timestamp, and get the headers that explain their
 * verdicts, as the setting {@code sluice.headers} says; {@code sluice-} headers of the input are
 * removed. Records are partitioned by the key fields of the limits instead of their own keys; Kafka
 * Streams repartitions them before a join or an aggregation by key. The streams have no serdes:
 * {@code to}, joins and aggregations need explicit serdes, or the defaults of the application.
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

  /**
   * Records within their limits: records that pass immediately, and delayed records at their due
   * time.
   */
  public KStream<K, V> allowed() {
    return allowed;
  }

  /** Records that a limit rejects; the header {@code sluice-reason} says why. */
  public KStream<K, V> rejected() {
    return rejected;
  }

  /**
   * Records that cannot be metered: the function returned no action or threw, or the action is
   * invalid, for example without a user or more than {@code sluice.time.max.ahead} in the future.
   * Key and value are the bytes that the serdes wrote; the header {@code sluice-error} says what is
   * wrong. An application that does not use this stream drops these records; the metric {@code
   * sluice_dead_letters_total} counts them in any case.
   */
  public KStream<byte[], byte[]> odd() {
    return odd;
  }
}
