package io.sluice.cli.redrive;

import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;

/**
 * Kafka clients whose producer ends the process in its second transaction, when all records are
 * written and nothing is committed.
 */
public final class HaltingClients extends DefaultKafkaClientSupplier {
  static final int EXIT_CODE = 137;

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new Halting(config);
  }

  private static final class Halting extends KafkaProducer<byte[], byte[]> {
    private int transactions;

    Halting(Map<String, Object> config) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void commitTransaction() {
      if (++transactions == 2) {
        flush();
        Runtime.getRuntime().halt(EXIT_CODE);
      }
      super.commitTransaction();
    }
  }
}
