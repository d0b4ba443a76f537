package io.sluice.cli.event;

import io.sluice.cli.limits.Columns;
import io.sluice.events.EventExplanation;
import io.sluice.events.EventExplanation.FieldReading;
import io.sluice.events.EventSelectors;
import io.sluice.events.RawRecord;
import io.sluice.limiter.PlainText;
import io.sluice.live.change.RevisionFormatter;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.Keys;
import io.sluice.rules.event.Origin;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.QueueOrder;
import io.sluice.rules.revision.LimitsInForce;
import io.sluice.rules.revision.TreatedLimit.Treatment;
import io.sluice.topology.config.SluiceConfig;
import io.sluice.topology.intake.EventOpener;
import io.sluice.topology.intake.EventRecord;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Report of how a configuration reads records of its input topics, and which limits apply. */
public final class EventReport {
  private final SluiceConfig config;
  private final LimitsInForce limits;
  private final InstantSource clock;
  private final EventOpener opener;
  private final PrintWriter out;

  /**
   * @param limits limits of the configuration, with the revisions that are known
   * @param clock an event that is too far ahead of it is not readable
   */
  public EventReport(
      SluiceConfig config, LimitsInForce limits, InstantSource clock, PrintWriter out) {
    this.config = config;
    this.limits = limits;
    this.clock = clock;
    this.out = out;
    opener = EventOpener.of(config, () -> limits, config.eventDecoder(), clock);
  }

  /**
   * Prints the report of a record; returns whether it is an event.
   *
   * @param record record of an input topic
   * @throws io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException if the
   *     schema registry does not answer
   */
  public boolean print(ConsumerRecord<byte[], byte[]> record) {
    if (record.value() == null || record.value().length == 0) {
      out.println("not an event: the record has no value; see " + Keys.TOMBSTONES);
      return false;
    }
    printFields(record);
    out.println();
    EventRecord event = new EventRecord(record.value());
    opener.open(event, record);
    event.error().ifPresent(why -> out.println("not an event: " + PlainText.message(why)));
    if (event.isFaulty()) return false;
    printLimits(event.event());
    return true;
  }

  private void printFields(ConsumerRecord<byte[], byte[]> record) {
    RawRecord raw = RawRecord.of(record, Origin.of(record));
    EventSelectors selectors = config.selectors().of(record.topic());
    Columns fields = new Columns("field", "selector", "value", "note");
    for (FieldReading each :
        new EventExplanation(selectors, config.schemas(), record.topic()).of(raw, attributes())) {
      fields.row(List.of(each.field(), each.selector(), each.value(), each.note()));
    }
    fields.print(out);
  }

  private Set<String> attributes() {
    return Stream.concat(
            limits.ever().all().stream().flatMap(limit -> limit.fields().stream()),
            config.queueOrder().fields().stream())
        .filter(field -> field.kind() == Field.Kind.ATTRIBUTE)
        .map(Field::attribute)
        .collect(Collectors.toSet());
  }

  private void printLimits(Event event) {
    long atMs = config.judgesByEventTime() ? event.occurredAtMs() : clock.millis();
    Limits inForce = limits.at(atMs);
    Columns table = new Columns("limit", "applies", "key", "note");
    for (Limit limit : inForce.all()) {
      Optional<String> reason = reasonAgainst(inForce, limit, event);
      boolean applies = reason.isEmpty();
      table.row(
          List.of(
              limit.name(),
              applies ? "yes" : "no",
              applies ? key(limit, event) : "",
              reason.orElseGet(() -> note(limit, event, atMs))));
    }
    table.print(out);
    if (inForce.matching(event).queues()) printOrder(event);
  }

  /** Prints the class and the tenant of an event that may wait in line, if there are any. */
  private void printOrder(Event event) {
    QueueOrder order = config.queueOrder();
    List<String> place = new ArrayList<>();
    if (order.priority().isPresent())
      place.add("class " + PlainText.message(order.className(order.rankOf(event))));
    order.fair().ifPresent(field -> place.add("tenant " + tenant(field.of(event))));
    if (!place.isEmpty()) out.println("in line: " + String.join(", ", place));
  }

  private static String tenant(String value) {
    return value.isEmpty() ? "(none)" : PlainText.message(value);
  }

  private String note(Limit limit, Event event, long atMs) {
    Treatment treatment = limits.treatedLimit(limit.name(), event, atMs).treatment();
    return switch (treatment) {
      case METER -> missing(limit, event);
      case ALLOW -> "a change exempts this event";
      case REJECT -> "a change rejects this event";
      case PAUSE -> paused(limit, event, atMs);
    };
  }

  private String paused(Limit limit, Event event, long atMs) {
    String until = RevisionFormatter.paused(limits.pauses(limit.name(), event, atMs));
    return "paused " + until + ": this event waits";
  }

  /** Returns why a limit does not apply to an event; empty if it applies. */
  private static Optional<String> reasonAgainst(Limits inForce, Limit limit, Event event) {
    Optional<String> misfit = limit.match().misfit(event);
    if (misfit.isPresent()) return misfit;
    if (limit.skips(event)) return Optional.of(missing(limit, event));
    boolean isLeft =
        inForce.resolved().stream()
            .noneMatch(each -> each.name().equals(limit.name()) && each.match().matches(event));
    return isLeft && limit.keyMissing() != Limit.KeyMissing.REJECT
        ? Optional.of("left to " + String.join(", ", limit.match().unless()))
        : Optional.empty();
  }

  private static String key(Limit limit, Event event) {
    if (limit.key().fields().isEmpty()) return "(one count for all)";
    return limit.key().fields().stream()
        .map(field -> field + "=" + field.of(event))
        .collect(Collectors.joining(" "));
  }

  private static String missing(Limit limit, Event event) {
    List<String> missing =
        Stream.concat(limit.key().fields().stream(), limit.distinct().stream())
            .filter(field -> field.of(event).isEmpty())
            .map(Field::toString)
            .toList();
    if (missing.isEmpty()) return "";
    String consequence =
        switch (limit.keyMissing()) {
          case SKIP -> "the limit does not apply";
          case SHARE -> "all such events share one count";
          case REJECT -> "the event is rejected";
        };
    return String.join(", ", missing)
        + " is missing: "
        + consequence
        + " (key.missing="
        + Keys.nameOf(limit.keyMissing())
        + ")";
  }
}
