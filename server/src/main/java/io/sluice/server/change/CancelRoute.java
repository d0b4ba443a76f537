package io.sluice.server.change;

import io.sluice.limiter.Bucket;
import io.sluice.live.change.NamedValues;
import io.sluice.live.kafka.ControlWriter;
import io.sluice.rules.StartException;
import io.sluice.rules.revision.Scope;
import io.sluice.server.change.RequestBody.Kind;
import io.sluice.server.web.Route;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.queue.CancelOrder;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** API route that cancels waiting events: one by its id, or all of a user or other key. */
public final class CancelRoute implements Route {
  private static final Logger LOG = LoggerFactory.getLogger(CancelRoute.class);
  private static final Map<String, Kind> FIELDS =
      Map.of(
          "for", Kind.PAIRS,
          "event", Kind.TEXT,
          "limit", Kind.TEXT,
          "by", Kind.TEXT,
          "dryRun", Kind.FLAG);

  private static final String HALF_A_PAIR =
      ": must not contain half of a surrogate pair, which UTF-8 cannot encode";

  /** Most requests that wait while one is answered; the others keep their threads. */
  private static final int MOST_WAITING = 2;

  private final SluiceConfig config;
  private final Matches matches;
  private final InstantSource clock;
  private final FairLock turns = new FairLock(MOST_WAITING);

  /** Counts the waiting events that an order is about. */
  public interface Matches {
    /** Returns the response that there is no such limit; empty if there is, or if none is named. */
    Optional<Reply> unlessKnown(String limit);

    /**
     * Asks all instances for their waiting events that an order is about.
     *
     * @throws BusyException if too many requests for waiting events run already
     */
    Found of(CancelOrder order) throws Exception;

    /** Thrown if too many requests for waiting events run already. */
    final class BusyException extends RuntimeException {
      private static final long serialVersionUID = 1L;

      public BusyException() {
        super("too many requests for waiting events at once; try again");
      }
    }

    /**
     * Number of waiting events that were found.
     *
     * @param whole whether all instances have answered, with all of their events
     */
    record Found(long count, boolean whole) {}
  }

  /**
   * Response.
   *
   * @param order id of the order that was published; empty if none was
   * @param matches number of waiting events that match
   * @param all whether no more events match, because all instances have answered
   */
  private record Body(String order, long matches, boolean all, boolean dryRun) {}

  /**
   * Creates the route.
   *
   * @param matches counts the events before an order is published
   */
  public CancelRoute(SluiceConfig config, Matches matches, InstantSource clock) {
    this.config = config;
    this.matches = matches;
    this.clock = clock;
  }

  @Override
  public String path() {
    return "/api/cancel";
  }

  @Override
  public Reply reply(Request request) throws Exception {
    if (!request.below().isEmpty()) return Reply.problem(404, "unknown path; use /api/cancel");
    if (!request.method().equals("POST")) return Reply.only("POST");
    RequestBody body = RequestBody.of(request, FIELDS);
    body.require("for", "{\"userId\":\"ada\"}");
    List<String> mistakes = new ArrayList<>(body.mistakes());
    Scope scope = NamedValues.scope("for", body.list("for"), mistakes);
    for (String each : List.of("event", "limit", "by"))
      if (!Bucket.isKey(body.text(each, ""))) mistakes.add(each + HALF_A_PAIR);
    if (!scope.values().stream().allMatch(Bucket::isKey)) mistakes.add("for" + HALF_A_PAIR);
    if (!mistakes.isEmpty()) return TopicCalls.mistaken(mistakes);
    Optional<Reply> refused = matches.unlessKnown(body.text("limit", ""));
    if (refused.isPresent()) return refused.get();
    CancelOrder order = order(body, scope);
    if (order.toBytes().length > CancelOrder.MOST_BYTES)
      return Reply.problem(400, "the order must have at most " + CancelOrder.MOST_BYTES + " bytes");
    if (!turns.begin())
      return Reply.problem(503, "too many requests to cancel events at once; try again");
    try {
      return cancel(order, body.flag("dryRun"));
    } catch (Matches.BusyException e) {
      return Reply.problem(503, e.getMessage());
    } finally {
      turns.end();
    }
  }

  private CancelOrder order(RequestBody body, Scope scope) {
    return new CancelOrder(
        UUID.randomUUID().toString(),
        CancelOrder.values(scope),
        body.text("event", ""),
        body.text("limit", ""),
        clock.millis(),
        body.text("by", ""));
  }

  private Reply cancel(CancelOrder order, boolean dryRun) throws Exception {
    Matches.Found found = matches.of(order);
    boolean publishes = !dryRun && (found.count() > 0 || !found.whole());
    if (!publishes) return Reply.of(new Body("", found.count(), found.whole(), dryRun));
    try {
      new ControlWriter(config.topics().delayed(), config.applicationId(), config.streams())
          .write(CancelOrder.HEADER, order.toBytes());
    } catch (StartException e) {
      return Reply.problem(TopicCalls.isRefused(e) ? 403 : 503, e.getMessage());
    }
    LOG.info("order {} over HTTP: cancels {} waiting events or more", order.id(), found.count());
    return Reply.of(new Body(order.id(), found.count(), found.whole(), false));
  }
}
