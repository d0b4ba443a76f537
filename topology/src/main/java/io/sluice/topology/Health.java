package io.sluice.topology;

import org.apache.kafka.streams.KafkaStreams.State;

/** Whether an instance lives, and whether it meters events. Safe for many threads. */
final class Health {
  private volatile State state = State.CREATED;

  /** What is the matter, or is not, in one line. */
  record Answer(boolean well, String says) {}

  void changed(State now) {
    state = now;
  }

  /** It lives unless it has ended, of itself or by a failure: only a new start can help then. */
  Answer live() {
    State now = state;
    return switch (now) {
      case PENDING_ERROR, ERROR -> new Answer(false, "failed; the log says why");
      case NOT_RUNNING -> new Answer(false, "ended");
      default -> new Answer(true, "live");
    };
  }

  /**
   * It is ready once partitions are assigned and their state is restored. While Kafka rebalances it
   * is not: whoever replaces one instance after another is to wait for that.
   */
  Answer ready() {
    State now = state;
    return switch (now) {
      case RUNNING -> new Answer(true, "ready");
      case CREATED -> new Answer(false, "starting");
      case REBALANCING ->
          new Answer(false, "rebalancing: partitions are being assigned or state is restored");
      case PENDING_SHUTDOWN -> new Answer(false, "ending");
      default -> live();
    };
  }
}
