package io.sluice.topology.metrics;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apache.kafka.streams.KafkaStreams.State;

/**
 * The health of an instance: whether it lives, and whether it meters events. Safe for many threads.
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

  /** An answer about health, with its reason in one line. */
  public record Answer(boolean well, String says) {}

  public void changed(State now) {
    state = now;
  }

  /** It ends by a failure, of which this is the line. */
  public void failed(String line) {
    failure = line;
  }

  /**
   * A stream thread has died and is to be replaced.
   *
   * @param line why, and how often
   * @param goesOn whether that has gone on for so long that only a new start may help
   */
  public void replacing(String line, boolean goesOn) {
    trouble = line;
    lasting = goesOn;
    replacing = true;
  }

  /** All threads run, whether for good or not. */
  public void replaced() {
    replacing = false;
  }

  /** They run for good. */
  public void untroubled() {
    lasting = false;
  }

  /** No broker has answered for so long that events wait. */
  public void noBrokerSince(Instant lastAnswer) {
    noBrokerSince = Optional.of(lastAnswer.truncatedTo(ChronoUnit.SECONDS));
  }

  public void brokersAnswer() {
    noBrokerSince = Optional.empty();
  }

  /** When a broker last answered, if none does. */
  public Optional<Instant> noBrokerSince() {
    return noBrokerSince;
  }

  /** A note on limits that may have changed since; empty if there is none. */
  public void limitsAsOf(String note) {
    staleLimits = note;
  }

  /** A note on instances with other limits; empty if there are none. */
  public void limitsDiffer(String note) {
    otherLimits = note;
  }

  /**
   * It lives unless it has ended, of itself or by a failure, or its threads die again and again:
   * only a new start can help then.
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
   * It is ready once partitions are assigned and their state is restored. While Kafka rebalances it
   * is not: a rolling restart waits for that. Nor is it while no broker answers.
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
