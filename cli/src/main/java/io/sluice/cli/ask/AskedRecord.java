package io.sluice.cli.ask;

import static java.util.stream.Collectors.joining;

import io.sluice.cli.common.CommandFailedException;
import io.sluice.cli.event.DeadLetter;
import io.sluice.cli.event.EventReport;
import io.sluice.cli.limits.ClusterRevisions;
import io.sluice.limiter.PlainText;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.runtime.cluster.RecordPosition;
import io.sluice.runtime.cluster.SingleRecord;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.DeadLetters;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Record of an input topic or a topic of dead letters, and the report of how the configuration
 * reads it. A dead letter is read as the record that it was in its input topic.
 */
record AskedRecord(SluiceConfig config, RecordPosition position) {
  /** Client id of the consumer. */
  private static final String CLIENT = "sluice-ask";

  /**
   * Parses the option {@code --record}.
   *
   * @throws IllegalArgumentException if the text is no position in such a topic; the message says
   *     what is accepted
   */
  static AskedRecord of(Optional<SluiceConfig> config, String text) {
    if (config.isEmpty()) {
      throw new IllegalArgumentException(
          "--record reads a topic: it needs --config, the application's properties file");
    }
    RecordPosition position =
        RecordPosition.parse(text)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "--record is a topic, a partition and an offset, such as "
                            + config.get().topics().deadLetter().names().get(0)
                            + "-0-17: "
                            + text));
    AskedRecord record = new AskedRecord(config.get(), position);
    if (!record.topics().contains(position.topic())) {
      throw new IllegalArgumentException(
          "--record: "
              + position.topic()
              + " is neither an input topic nor a topic of dead letters of this configuration: "
              + String.join(", ", record.topics()));
    }
    return record;
  }

  private List<String> topics() {
    return Stream.concat(config.inputTopics().stream(), deadLetters().stream()).toList();
  }

  private List<String> deadLetters() {
    return config.topics().deadLetter().names();
  }

  /**
   * Reads the record and prints the report; returns whether it is an event.
   *
   * @throws io.sluice.rules.StartException if the record cannot be read
   */
  boolean print(PrintWriter out) {
    ConsumerRecord<byte[], byte[]> record = SingleRecord.read(config, CLIENT, position);
    LimitsInForce limits =
        LimitsInForce.of(config.limitsConfig()).with(ClusterRevisions.read(config));
    return print(record, limits, out);
  }

  /** Prints the report of a record at this position. */
  boolean print(ConsumerRecord<byte[], byte[]> record, LimitsInForce limits, PrintWriter out) {
    boolean isDead = deadLetters().contains(record.topic());
    try {
      return new EventReport(config, limits, InstantSource.system(), out)
          .print(isDead ? original(new DeadLetter(record), out) : record);
    } catch (SchemasUnavailableException e) {
      throw new CommandFailedException(e.getMessage(), e);
    } finally {
      out.flush();
    }
  }

  private ConsumerRecord<byte[], byte[]> original(DeadLetter letter, PrintWriter out) {
    RecordPosition from = letter.from().orElseThrow(() -> unusable(letter.noOrigin()));
    if (!config.inputTopics().contains(from.topic())) {
      throw unusable("it came from " + from + ", which is no input topic of the configuration");
    }
    out.println("dead letter of " + from + reasons(letter));
    String leftOut = letter.text(DeadLetters.ERROR_LEFT_OUT);
    if (!leftOut.isEmpty()) {
      out.println(
          "it lacks "
              + PlainText.of(leftOut)
              + ", because it was too large: --record "
              + from
              + " shows the whole record, if it still exists");
    }
    out.println();
    return letter.original(from);
  }

  private static String reasons(DeadLetter letter) {
    String all =
        Stream.of(letter.text(DeadLetters.ERROR_REASON), letter.text(DeadLetters.ERROR))
            .filter(each -> !each.isEmpty())
            .map(PlainText::message)
            .collect(joining(": "));
    return all.isEmpty() ? "" : ", " + all;
  }

  private CommandFailedException unusable(String why) {
    return new CommandFailedException(position + " is not of this application: " + why);
  }
}
