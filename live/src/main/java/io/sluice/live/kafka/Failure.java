package io.sluice.live.kafka;

import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
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
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.streams.errors.MissingSourceTopicException;
import org.apache.kafka.streams.errors.StreamsException;

/**
 * Failure that ended a stream thread, with the decision whether a retry may help. Failures of Kafka
 * and of the schema registry may be temporary; all others would occur again.
 *
 * @param cause the most informative exception in the chain
 * @param mayPass whether a retry may help
 */
public record Failure(Throwable cause, boolean mayPass) {
  /**
   * Failures of Kafka that are caused by settings or rights, and so do not pass. Denials, failed
   * logins, old versions and invalid topic names are subclasses of {@link
   * InvalidConfigurationException}.
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

  public static Failure of(Throwable thrown) {
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

  /**
   * Whether an exception is Sluice's own for an outage of the schema registry. Its cause is then
   * ignored: after a timeout, for example, the cause may be a refused login.
   */
  private static boolean isOfItsOwn(Throwable each) {
    return each instanceof SchemasUnavailableException;
  }

  /**
   * Whether an exception shows an inconsistent state of Kafka Streams that a new thread with a new
   * producer resolves. If all standbys are paused, the thread that resumes them ends (KAFKA-20731,
   * open in 4.4.0); after a commit without a timely answer, Streams begins another one. And a
   * broker that has just started knows no topics for a moment: the group's leader then stops all
   * threads of all instances, although no topic is missing.
   */
  private static boolean isOfStreams(Throwable each) {
    if (each instanceof MissingSourceTopicException) return true;
    StackTraceElement[] stack = each.getStackTrace();
    return each instanceof IllegalStateException
        && stack.length > 0
        && LOSING_THEIR_WAY.stream().anyMatch(stack[0].getClassName()::startsWith);
  }

  /**
   * Whether an exception cannot pass by a retry. The refusal of a record that is too large does not
   * count: the record is recognized when it is processed again.
   */
  private static boolean isLasting(Throwable each) {
    if (isOfSize(each)) return false;
    return (each instanceof SchemasUnavailableException schemas && schemas.isLasting())
        || LASTING.stream().anyMatch(kind -> kind.isInstance(each));
  }

  /**
   * Whether a failure means that a record is larger than its topic takes in a batch, or than a
   * segment of the topic.
   */
  public static boolean isOfSize(Throwable failure) {
    return failure instanceof RecordTooLargeException
        || failure instanceof RecordBatchTooLargeException;
  }

  /**
   * Whether the remedy for this failure is a setting or a right in the cluster, and not a change of
   * the code.
   */
  public boolean isOfTheCluster() {
    return isLasting(cause);
  }

  /**
   * Whether this failure is an outage of a service that Sluice waits for, which a restart would not
   * help.
   */
  public boolean isAnOutage() {
    return isOfItsOwn(cause);
  }

  /** Class of the cause; failures with the same class count as one failure that occurs again. */
  public Class<?> kind() {
    return cause.getClass();
  }

  /** Cause of the failure in one line. */
  public String line() {
    String name = cause.getClass().getSimpleName();
    if (cause.getMessage() == null || cause.getMessage().isBlank()) return name;
    return name + ": " + cause.getMessage().strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
