package io.sluice.live;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a record to the topic of revisions once a minute, which tells the other instances which
 * limits this instance's configuration has.
 */
final class Announcer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);
  static final long EVERY_SECONDS = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration CLOSING = Duration.ofSeconds(2);

  private final String topic;
  private final InstanceRecord own;
  private final Producer<byte[], byte[]> producer;
  private final Function<Throwable, String> says;
  private final InstantSource clock;
  private volatile boolean told;
  private boolean warned;

  /**
   * Creates an announcer of an instance.
   *
   * @param producer closed by {@link #close}
   * @param says explains why a record cannot be written
   */
  Announcer(
      String topic,
      InstanceRecord own,
      Producer<byte[], byte[]> producer,
      Function<Throwable, String> says,
      InstantSource clock) {
    this.topic = topic;
    this.own = own;
    this.producer = producer;
    this.says = says;
    this.clock = clock;
  }

  /** Writes the record of this instance. Failures are logged once, until a write succeeds. */
  void announce() {
    InstanceRecord now = new InstanceRecord(own.id(), own.digest(), own.limits(), clock.millis());
    try {
      send(now.json(), PATIENCE);
      told = true;
      warned = false;
    } catch (ExecutionException e) {
      warn(e.getCause());
    } catch (TimeoutException | KafkaException | IllegalStateException e) {
      warn(e);
    }
  }

  private void warn(Throwable failure) {
    if (!warned && !Thread.currentThread().isInterrupted()) {
      LOG.warn(
          "cannot announce the limits of this instance to other instances, and tries again every"
              + " minute: {}",
          says.apply(failure));
    }
    warned = true;
  }

  private void send(byte[] value, Duration patience) throws ExecutionException, TimeoutException {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, own.key(), value);
    try {
      producer.send(record).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Deletes the record of this instance, if one was written, and closes the producer. */
  @Override
  public void close() {
    try {
      if (told) send(null, CLOSING);
    } catch (ExecutionException | TimeoutException | KafkaException | IllegalStateException e) {
      LOG.debug(
          "the record of this instance stays; other instances ignore it after some minutes", e);
    } finally {
      producer.close(CLOSING);
    }
  }
}
