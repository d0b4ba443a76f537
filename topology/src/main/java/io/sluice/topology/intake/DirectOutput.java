package io.sluice.topology.intake;

import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Access to the producers that Kafka Streams uses, so that a node can send records without a sink
 * node, which costs more than the send. Safe for many threads.
 */
@FunctionalInterface
public interface DirectOutput {
  /** Sender that sends nothing. */
  Sender NOT_SENT = record -> false;

  /** Output that sends nothing, so that all records go to the sinks. */
  DirectOutput NONE = () -> NOT_SENT;

  /**
   * Returns the producer of the calling stream thread. To be called anew for each batch, since
   * Kafka Streams may replace the producer between two batches.
   */
  Sender ofThread();

  /** Producer of one stream thread. */
  @FunctionalInterface
  interface Sender {
    /**
     * Sends a record in the current transaction. A failure makes the next flush fail, and so the
     * commit.
     *
     * @return whether the record was sent; false if no transaction is open, since only Kafka
     *     Streams may begin one, which it does when a sink gets a record
     */
    boolean trySend(ProducerRecord<byte[], byte[]> record);
  }
}
