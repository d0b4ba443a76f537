package io.sluice.cli.redrive;

import org.apache.kafka.clients.producer.ProducerRecord;

/** Decision on a dead letter: it is sent back, or left where it is. */
sealed interface LetterFate {
  /**
   * Decision to send the letter back, since it can be read as an event.
   *
   * @param original record for the input topic
   */
  record Sendable(ProducerRecord<byte[], byte[]> original) implements LetterFate {}

  /**
   * Decision to leave the letter in its topic.
   *
   * @param why explains the cause, for the operator; it may quote text of any producer
   */
  record Left(Cause cause, String why) implements LetterFate {}

  /** Kinds of causes for which a letter is left; each has a column of the result. */
  enum Cause {
    /** The application would make the event a dead letter again. */
    UNREADABLE,
    /** Parts of the original record are missing in the letter. */
    LEFT_OUT,
    /** The letter is left for another cause: for example, it came from another topic. */
    OTHER
  }
}
