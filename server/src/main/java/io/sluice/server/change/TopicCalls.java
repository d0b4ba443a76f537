package io.sluice.server.change;

import io.sluice.live.change.ChangeSession;
import io.sluice.live.change.RequestedChanges;
import io.sluice.rules.StartException;
import io.sluice.rules.event.Keys;
import io.sluice.server.web.JsonText;
import io.sluice.server.web.Route.Reply;
import io.sluice.topology.config.SluiceConfig;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * Runs HTTP requests that need the topic of revisions, one at a time. Each request reads the topic
 * again, as the command line does, so that a change is checked against all written revisions, not
 * only against those that this instance has read.
 */
final class TopicCalls {
  private final SluiceConfig config;
  private final InstantSource clock;
  private final FairLock turns;

  /**
   * Creates a queue of requests.
   *
   * @param mostWaiting number of requests that may wait while one runs
   */
  TopicCalls(SluiceConfig config, InstantSource clock, int mostWaiting) {
    this.config = config;
    this.clock = clock;
    turns = new FairLock(mostWaiting);
  }

  /**
   * Makes a change and returns the response to its request.
   *
   * @param refusal returns a response if there is nothing to change
   */
  Reply change(
      ChangeResponse told,
      RequestedChanges.Asked asked,
      Function<ChangeSession, Optional<Reply>> refusal,
      Consumer<RequestedChanges> work)
      throws InterruptedException {
    return inTurn(
        told,
        session -> {
          Optional<Reply> refused = refusal.apply(session);
          if (refused.isPresent()) return refused.get();
          List<String> mistakes =
              ChangeSession.mistakesOf(() -> work.accept(new RequestedChanges(session, asked)));
          return mistakes.isEmpty() ? told.reply() : mistaken(mistakes);
        });
  }

  /** Waits until no other request runs, and then runs a request with a new session. */
  Reply inTurn(ChangeResponse told, Function<ChangeSession, Reply> work)
      throws InterruptedException {
    if (!config.topics().hasLimits()) {
      return Reply.problem(503, Keys.LIMITS_LIVE + "=false: instances would not read a change");
    }
    if (!turns.begin())
      return Reply.problem(503, "too many requests for changes or history at once; try again");
    try (ChangeSession session =
        ChangeSession.open(config.limitsConfig(), config.limitsTopic(), clock, told)) {
      return work.apply(session);
    } catch (StartException e) {
      return failed(told, e);
    } finally {
      turns.end();
    }
  }

  /**
   * Returns the response after a failure. If revisions were already written, the response lists
   * them, with a warning.
   */
  private static Reply failed(ChangeResponse told, StartException failure) {
    if (told.hasWritten()) {
      told.warns(failure.getMessage());
      return told.reply();
    }
    return Reply.problem(isRefused(failure) ? 403 : 503, failure.getMessage());
  }

  static boolean isRefused(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof AuthorizationException) return true;
    }
    return false;
  }

  private record Mistakes(String error, List<String> mistakes) {}

  /** Returns response 400 with the mistakes, as one line and as a list. */
  static Reply mistaken(List<String> mistakes) {
    return Reply.json(400, JsonText.of(new Mistakes(String.join("; ", mistakes), mistakes)));
  }
}
