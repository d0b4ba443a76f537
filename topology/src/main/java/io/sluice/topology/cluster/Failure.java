package io.sluice.topology.cluster;

import io.sluice.topology.event.UnreadableEventException.SchemasUnavailableException;
import java.util.List;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InconsistentGroupProtocolException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidGroupIdException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidSessionTimeoutException;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * The failure that ended a stream thread; it knows whether trying again may help. Kafka's failures
 * may pass, and the schema registry comes back; anything else would only come again.
 *
 * @param cause of all that was thrown, what says most
 */
record Failure(Throwable cause, boolean mayPass) {
  /**
   * Kafka's failures, too, but those of what somebody has set or granted. What is not allowed, no
   * login, an old version and wrong names of topics are all kinds of an invalid configuration.
   */
  private static final List<Class<? extends KafkaException>> LASTING =
      List.of(
          ConfigException.class,
          FencedInstanceIdException.class,
          InconsistentGroupProtocolException.class,
          InvalidConfigurationException.class,
          InvalidGroupIdException.class,
          InvalidPartitionsException.class,
          InvalidSessionTimeoutException.class,
          InvalidTxnTimeoutException.class,
          NoOffsetForPartitionException.class,
          PolicyViolationException.class,
          SerializationException.class,
          UnsupportedCompressionTypeException.class);

  private static final List<String> LOSING_THEIR_WAY =
      List.of(
          "org.apache.kafka.streams.processor.internals.",
          "org.apache.kafka.clients.producer.internals.TransactionManager");

  static Failure of(Throwable thrown) {
    Throwable innermost = thrown;
    Throwable passing = null;
    for (Throwable each = thrown; each != null; each = each.getCause()) {
      if (isLasting(each)) return new Failure(each, false);
      if (isOfItsOwn(each) || isOfStreams(each)) return new Failure(each, true);
      if (each instanceof KafkaException && !(each instanceof StreamsException)) passing = each;
      innermost = each;
    }
    return passing == null ? new Failure(innermost, false) : new Failure(passing, true);
  }

  /** What it came of says nothing then: who could not be reached in time may refuse a login. */
  private static boolean isOfItsOwn(Throwable each) {
    return each instanceof SchemasUnavailableException;
  }

  /**
   * A state that Streams has lost its way in, which a new thread with a producer of its own finds
   * again: standbys that were all paused end the thread that goes on with them (KAFKA-20731, open
   * in 4.4.0); after a commit whose answer did not come in time, Streams begins another one. And a
   * broker that has just begun knows of no topics for a moment: the member that then shares the
   * partitions out has all threads of all instances end, although nothing is missing.
   */
  private static boolean isOfStreams(Throwable each) {
    if (each instanceof MissingSourceTopicException) return true;
    StackTraceElement[] stack = each.getStackTrace();
    return each instanceof IllegalStateException
        && stack.length > 0
        && LOSING_THEIR_WAY.stream().anyMatch(stack[0].getClassName()::startsWith);
  }

  /** A record that is too large is known to be when it comes again. */
  private static boolean isLasting(Throwable each) {
    if (FailedSends.isOfSize(each)) return false;
    return (each instanceof SchemasUnavailableException schemas && schemas.isLasting())
        || LASTING.stream().anyMatch(kind -> kind.isInstance(each));
  }

  /** Whether it is for somebody to set or grant something, rather than to write it otherwise. */
  boolean isOfTheCluster() {
    return isLasting(cause);
  }

  /** Whether it is of somebody whom Sluice waits for: a new start would only wait again. */
  boolean isAnOutage() {
    return isOfItsOwn(cause);
  }

  /** Two failures of one kind are the same one again. */
  Class<?> kind() {
    return cause.getClass();
  }

  /** The cause in one line. */
  String line() {
    String name = cause.getClass().getSimpleName();
    if (cause.getMessage() == null || cause.getMessage().isBlank()) return name;
    return name + ": " + cause.getMessage().strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
