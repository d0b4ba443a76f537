package io.sluice.runtime.cluster;

import io.sluice.live.kafka.Failure;
import io.sluice.topology.intake.RecordSizes;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Receiver of the failures to send records. It tells {@link RecordSizes} about a record that its
 * topic refused for its size: the known limit is wrong, because the topic's settings have changed
 * or may not be read. Processed again, the record becomes a dead letter. Safe for many threads.
 *
 * @param aborting I/O threads of the producers that aborted a transaction for a refused record
 */
record RefusedRecords(RecordSizes sizes, Set<Thread> aborting) {
  RefusedRecords(RecordSizes sizes) {
    this(sizes, Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>())));
  }

  /** Notes a failed record. Called on the I/O thread of the producer. */
  void failed(ProducerRecord<byte[], byte[]> record, Exception failure, boolean inTransactions) {
    if (Failure.isOfSize(failure) && isItsOwn(inTransactions)) {
      sizes.refused(record.topic(), record.key(), record.value(), record.headers());
    }
  }

  /**
   * Whether a refusal concerns the record that failed. When a transaction is aborted, Kafka fails
   * all unsent records of the producer, which may be of other tasks, with the exception of the
   * refused record, although their own topics would take them. So only the first failure of a
   * producer counts: after it, the stream thread is replaced, with its producer. The exceptions do
   * not tell them apart, because Kafka has one instance for all refusals.
   */
  private boolean isItsOwn(boolean inTransactions) {
    return !inTransactions || aborting.add(Thread.currentThread());
  }
}
