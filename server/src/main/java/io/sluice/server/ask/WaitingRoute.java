package io.sluice.server.ask;

import io.sluice.events.EventDecoder;
import io.sluice.live.change.NamedValues;
import io.sluice.live.change.RevisionFormatter;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.FieldForms;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.rules.revision.CurrentLimits;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.Scope;
import io.sluice.server.change.CancelRoute;
import io.sluice.server.change.FairLock;
import io.sluice.server.web.JsonText;
import io.sluice.server.web.Route;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.Nodes;
import io.sluice.topology.queue.CancelOrder;
import io.sluice.topology.queue.WaitingList;
import io.sluice.topology.queue.WaitingList.Filter;
import io.sluice.topology.queue.WaitingList.Waiting;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/**
 * API route for the events that wait in line, of all limits, of one, or of a user or other key.
 * This instance asks the others and sums their reports; with {@code local=true} it reports only its
 * own partitions.
 */
final class WaitingRoute implements Route, CancelRoute.Matches {
  static final String PATH = "/api/waiting";

  private static final String LIMIT = "limit";
  private static final String EVENT = "event";
  private static final String EXACT = "exact";
  private static final String MOST = "max";
  private static final int USUAL_MOST = 20;
  private static final int LONGEST_ID = 1_000;
  private static final int LONGEST_TEXT = 200;

  /** Most requests that wait while one reads; the others leave threads to other routes. */
  private static final int MOST_WAITING = 2;

  private final LocalInstance here;
  private final CurrentLimits limits;
  private final OtherInstances others;
  private final int partitions;
  private final EventDecoder decoder;
  private final QueueOrder order;
  private final InstantSource clock;

  /** One request at a time reads the waiting events, since that may take a second or more. */
  private final FairLock scans = new FairLock(MOST_WAITING);

  WaitingRoute(
      SluiceConfig config,
      CurrentLimits limits,
      LocalInstance here,
      OtherInstances others,
      int partitions,
      InstantSource clock) {
    this.here = here;
    this.limits = limits;
    this.others = others;
    this.partitions = partitions;
    this.clock = clock;
    decoder = config.eventDecoder();
    order = config.queueOrder();
  }

  @Override
  public String path() {
    return PATH;
  }

  @Override
  public Reply reply(Request request) throws InterruptedException, ExecutionException {
    if (!request.method().equals("GET")) return Reply.only("GET");
    if (!request.below().isEmpty())
      return Reply.problem(404, "unknown path; use /api/waiting?limit=...");
    Map<String, String> fields = new TreeMap<>(request.parameters());
    String alone = taken(fields, InstanceClient.LOCAL, "false");
    String exact = taken(fields, EXACT, "false");
    if (!alone.matches("true|false") || !exact.matches("true|false"))
      return Reply.problem(400, "local and exact must be true or false");
    String most = taken(fields, MOST, "" + USUAL_MOST);
    boolean some =
        most.matches("[0-9]{1,3}") && Integer.parseInt(most) <= WaitingReport.MOST_EVENTS;
    if (!some)
      return Reply.problem(400, "max must be a number from 0 to " + WaitingReport.MOST_EVENTS);
    String limit = taken(fields, LIMIT, "");
    Optional<Reply> refused = unlessKnown(limit);
    if (refused.isPresent()) return refused.get();
    String event = taken(fields, EVENT, "");
    List<String> mistakes = new ArrayList<>();
    List<String> pairs = fields.entrySet().stream().map(each -> each.toString()).toList();
    Scope scope = NamedValues.scope("parameter", pairs, mistakes);
    if (!mistakes.isEmpty()) {
      return Reply.problem(
          400,
          "unknown parameter or empty value; accepted are limit, event, max, exact, local, and"
              + " fields: "
              + Field.NAMES);
    }
    Filter filter =
        new Filter(
            CancelOrder.values(scope), event, limit, exact.equals("true"), Integer.parseInt(most));
    try {
      return Reply.of(alone.equals("true") ? own(filter) : all(filter));
    } catch (BusyException e) {
      return Reply.problem(503, e.getMessage());
    }
  }

  private static String taken(Map<String, String> parameters, String name, String otherwise) {
    String value = parameters.remove(name);
    return value == null ? otherwise : value;
  }

  @Override
  public Optional<Reply> unlessKnown(String limit) {
    List<String> names = limits.known().ever().all().stream().map(Limit::name).toList();
    return limit.isEmpty() || names.contains(limit)
        ? Optional.empty()
        : Optional.of(
            Reply.problem(404, "no such limit; known limits: " + RevisionFormatter.some(names)));
  }

  @Override
  public Found of(CancelOrder order) throws InterruptedException, ExecutionException {
    WaitingReport quick = all(filter(order, false));
    WaitingReport found = quick.count() > 0 ? quick : all(filter(order, true));
    return new Found(found.count(), found.hasAll());
  }

  private static Filter filter(CancelOrder order, boolean exact) {
    return new Filter(order.values(), order.event(), order.limit(), exact, 0);
  }

  private WaitingReport all(Filter filter) throws InterruptedException, ExecutionException {
    Map<String, String> parameters = new TreeMap<>();
    filter.values().forEach((field, value) -> parameters.put(field.toString(), value));
    if (!filter.event().isEmpty()) parameters.put(EVENT, filter.event());
    if (!filter.limit().isEmpty()) parameters.put(LIMIT, filter.limit());
    parameters.put(EXACT, "" + filter.exact());
    parameters.put(MOST, "" + filter.most());
    return own(filter)
        .with(
            others.askAll(PATH, parameters, text -> JsonText.read(text, WaitingReport.class)).get(),
            partitions,
            filter.most());
  }

  /** Returns the report of the partitions of this instance. */
  private WaitingReport own(Filter given) throws InterruptedException {
    if (!scans.begin()) throw new BusyException();
    try {
      return scan(given);
    } finally {
      scans.end();
    }
  }

  private WaitingReport scan(Filter given) {
    LimitsInForce known = limits.known();
    FieldForms forms = known.forms();
    Map<Field, String> values = new LinkedHashMap<>();
    given.values().forEach((field, value) -> values.put(field, forms.of(field, value)));
    Filter filter = new Filter(values, given.event(), given.limit(), given.exact(), given.most());
    long nowMs = clock.millis();
    LeaveEstimates estimates = new LeaveEstimates(known, nowMs);
    List<WaitingReport> parts = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      int number = partition;
      read(filter, partition, known)
          .ifPresent(each -> parts.add(part(each, number, nowMs, estimates)));
    }
    return WaitingReport.none(nowMs)
        .with(new OtherInstances.Responses<>(parts, List.of(), List.of()), 0, filter.most());
  }

  private Optional<WaitingList> read(Filter filter, int partition, LimitsInForce known) {
    if (!here.isActive(partition)) return Optional.empty();
    try {
      return Optional.of(
          WaitingList.of(here.store(Nodes.WAITING, partition), filter, known.ever(), decoder));
    } catch (InvalidStateStoreException e) {
      return Optional.empty();
    }
  }

  private WaitingReport part(
      WaitingList list, int partition, long nowMs, LeaveEstimates estimates) {
    List<WaitingReport.OfClass> classes = new ArrayList<>();
    list.standings()
        .forEach(
            (group, standing) ->
                classes.add(
                    new WaitingReport.OfClass(
                        group.limit(),
                        order.className(group.rank()),
                        standing.length(),
                        standing.oldestMs())));
    List<WaitingReport.Waiter> first =
        list.first().stream().map(each -> waiter(each, partition, estimates)).toList();
    return WaitingReport.of(nowMs, partition, list, classes, first);
  }

  private WaitingReport.Waiter waiter(Waiting waiting, int partition, LeaveEstimates estimates) {
    return new WaitingReport.Waiter(
        partition,
        waiting.event().map(Event::eventId).map(id -> cut(id, LONGEST_ID)).orElse(""),
        waiting.event().map(Event::userId).map(id -> cut(id, LONGEST_TEXT)).orElse(""),
        waiting.event().map(Event::action).map(text -> cut(text, LONGEST_TEXT)).orElse(""),
        order.className(waiting.rank()),
        waiting.arrivedMs(),
        waiting.position(),
        WaitingReport.counts(waiting.before()),
        estimates.ms(waiting));
  }

  private static String cut(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest) + "…";
  }
}
