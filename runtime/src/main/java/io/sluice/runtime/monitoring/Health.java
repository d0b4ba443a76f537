package io.sluice.runtime.monitoring;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apache.kafka.streams.KafkaStreams.State;

/**
 * Health of an instance: whether it is live, and whether it is ready to meter events. Safe for many
 * threads.
 */
public final class Health {
  private volatile State state = State.CREATED;
  private volatile String failure = "";
  private volatile String trouble = "";
  private volatile String staleLimits = "";
  private volatile String otherLimits = "";
  private volatile Optional<Instant> noBrokerSince = Optional.empty();
  private volatile boolean replacing;
  private volatile boolean lasting;

  /** Answer to a health check, with its reason in one line. */
  public record Answer(boolean well, String says) {}

  public void changed(State now) {
    state = now;
  }

  /** Marks the instance as ended by a failure, whose reason is given in one line. */
  public void failed(String line) {
    failure = line;
  }

  /**
   * Marks a stream thread as failed and to be replaced.
   *
   * @param line reason and number of failures
   * @param goesOn whether failures have lasted so long that only a restart may help
   */
  public void replacing(String line, boolean goesOn) {
    trouble = line;
    lasting = goesOn;
    replacing = true;
  }

  /** Marks all stream threads as running, although they may fail again. */
  public void replaced() {
    replacing = false;
  }

  /** Marks the period in which stream threads failed as over. */
  public void untroubled() {
    lasting = false;
  }

  /** Marks all brokers as silent since this time; events wait until a broker answers. */
  public void noBrokerSince(Instant lastAnswer) {
    noBrokerSince = Optional.of(lastAnswer.truncatedTo(ChronoUnit.SECONDS));
  }

  public void brokersAnswer() {
    noBrokerSince = Optional.empty();
  }

  /** Returns the time at which a broker last answered; empty while brokers answer. */
  public Optional<Instant> noBrokerSince() {
    return noBrokerSince;
  }

  /** Sets the note that limits are known only as of a time; empty while they are current. */
  public void limitsAsOf(String note) {
    staleLimits = note;
  }

  /** Sets the note on instances whose configurations have other limits; empty if there are none. */
  public void limitsDiffer(String note) {
    otherLimits = note;
  }

  /**
   * Returns whether the instance is live: it has not ended, by itself or by a failure, and its
   * threads do not fail again and again. If not, only a restart can help.
   */
  public Answer live() {
    if (!failure.isEmpty()) return new Answer(false, "failed: " + failure);
    if (lasting) return new Answer(false, trouble);
    State now = state;
    return switch (now) {
      case PENDING_ERROR, ERROR -> new Answer(false, "failed; the log says why");
      case NOT_RUNNING -> new Answer(false, "ended");
      default -> new Answer(true, "live");
    };
  }

  /**
   * Returns whether the instance is ready: its partitions are assigned and their state is restored.
   * It is not ready during a rebalance, for which a rolling restart waits, nor while no broker
   * answers.
   */
  public Answer ready() {
    if (!live().well()) return live();
    Optional<Instant> silent = noBrokerSince;
    if (silent.isPresent()) {
      return new Answer(false, "no broker has answered since " + silent.get() + ": events wait");
    }
    if (replacing) return new Answer(false, trouble + "; it is being replaced");
    State now = state;
    return switch (now) {
      case RUNNING -> new Answer(true, "ready" + noted(staleLimits) + noted(otherLimits));
      case CREATED -> new Answer(false, "starting");
      case REBALANCING ->
          new Answer(false, "rebalancing: partitions are being assigned or state is restored");
      case PENDING_SHUTDOWN -> new Answer(false, "ending");
      default -> live();
    };
  }

  private static String noted(String note) {
    return note.isEmpty() ? "" : "; " + note;
  }
}
