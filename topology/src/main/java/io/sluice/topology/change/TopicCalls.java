package io.sluice.topology.change;

import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.event.Keys;
import io.sluice.topology.metrics.StartException;
import io.sluice.topology.web.Route.Reply;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Work with the topic of revisions for whoever asks over HTTP, one after another. It is read anew
 * each time, as the command line does: a change is checked against what is written, and not against
 * what this instance knows.
 */
final class TopicCalls {
  private final SluiceConfig config;
  private final InstantSource clock;
  private final Turns turns;

  /**
   * @param mostWaiting how many may wait while one is at work
   */
  TopicCalls(SluiceConfig config, InstantSource clock, int mostWaiting) {
    this.config = config;
    this.clock = clock;
    turns = new Turns(mostWaiting);
  }

  /**
   * Makes a change.
   *
   * @param refusal an answer if there is nothing to change
   */
  Reply change(
      Told told,
      Changes.Asked asked,
      Function<Session, Optional<Reply>> refusal,
      Consumer<Changes> work)
      throws InterruptedException {
    return inTurn(
        told,
        session -> {
          Optional<Reply> refused = refusal.apply(session);
          if (refused.isPresent()) return refused.get();
          List<String> mistakes =
              Session.mistakesOf(() -> work.accept(new Changes(session, asked)));
          return mistakes.isEmpty() ? told.reply() : mistaken(mistakes);
        });
  }

  /** Does it when its turn comes. */
  Reply inTurn(Told told, Function<Session, Reply> work) throws InterruptedException {
    if (!config.topics().hasLimits()) {
      return Reply.problem(503, Keys.LIMITS_LIVE + "=false: instances would not read a change");
    }
    if (!turns.begin()) return Reply.problem(503, "too many ask for this at once; try again");
    try (Session session = Session.open(config, clock, told)) {
      return work.apply(session);
    } catch (StartException e) {
      return failed(told, e);
    } finally {
      turns.end();
    }
  }

  /** What was written is written, whatever came after it. */
  private static Reply failed(Told told, StartException failure) {
    if (told.hasWritten()) {
      told.warns(failure.getMessage());
      return told.reply();
    }
    return Reply.problem(isRefused(failure) ? 403 : 503, failure.getMessage());
  }

  private static boolean isRefused(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof AuthorizationException) return true;
    }
    return false;
  }

  /** What is wrong, in one line for people and each for itself. */
  static Reply mistaken(List<String> mistakes) {
    return Reply.object(
        400,
        json -> {
          json.writeStringField("error", String.join("; ", mistakes));
          json.writeFieldName("mistakes");
          json.writeArray(mistakes.toArray(String[]::new), 0, mistakes.size());
        });
  }
}
