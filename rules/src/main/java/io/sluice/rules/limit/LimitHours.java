package io.sluice.rules.limit;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.OpeningHours.Span;
import io.sluice.rules.limit.ZoneSelector.OfField;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Opening hours of a limit, and the time zone in which they are meant for an event. For many
 * threads.
 */
public final class LimitHours {
  /** Hours of a limit that never closes. */
  public static final LimitHours ALWAYS = new LimitHours(OpeningHours.ALWAYS, ZoneSelector.UTC);

  private final OpeningHours hours;
  private final ZoneSelector zone;
  private final Local otherwise;

  /**
   * Cache by the texts of zones in events. Only names and offsets of zones get in, of which there
   * are some thousands; all other texts use the default.
   */
  private final Map<String, Local> byText = new ConcurrentHashMap<>();

  private LimitHours(OpeningHours hours, ZoneSelector zone) {
    this.hours = hours;
    this.zone = zone;
    otherwise =
        new Local(
            hours,
            zone instanceof ZoneSelector.Fixed fixed ? fixed.zone() : ((OfField) zone).otherwise());
  }

  /**
   * Hours in one zone, with the last two spans that were asked for: mostly the present one and the
   * next one.
   */
  private static final class Local {
    private final OpeningHours hours;
    private final ZoneId zone;
    private volatile Span last;
    private volatile Span before;

    Local(OpeningHours hours, ZoneId zone) {
      this.hours = hours;
      this.zone = zone;
      // Contains no instant.
      last = new Span(true, Long.MAX_VALUE, Long.MAX_VALUE);
      before = last;
    }

    Span spanAt(long ms) {
      Span span = last;
      if (span.contains(ms)) return span;
      Span other = before;
      if (other.contains(ms)) return other;
      before = span;
      span = hours.spanAt(ms, zone);
      last = span;
      return span;
    }
  }

  /** Returns hours in a zone; {@link #ALWAYS}, with any zone, if they never close. */
  public static LimitHours of(OpeningHours hours, ZoneSelector zone) {
    return hours.areAlways() ? ALWAYS : new LimitHours(hours, zone);
  }

  /** Returns whether the hours never close. */
  public boolean areAlways() {
    return hours.areAlways();
  }

  public OpeningHours hours() {
    return hours;
  }

  public ZoneSelector zone() {
    return zone;
  }

  /** Returns the fields of events that the zone is taken from: one or none. */
  public List<Field> fields() {
    return zone instanceof OfField named ? List.of(named.field()) : List.of();
  }

  /** Returns the number of texts in the cache of zones. */
  int cached() {
    return byText.size();
  }

  /** Returns the zone in which the hours are meant for an event. */
  public ZoneId zoneOf(Event event) {
    return local(event).zone;
  }

  private Local local(Event event) {
    if (!(zone instanceof OfField named)) return otherwise;
    String text = named.field().of(event);
    Local known = byText.get(text);
    if (known != null) return known;
    return ZoneNames.find(text)
        .map(found -> byText.computeIfAbsent(text, same -> new Local(hours, found)))
        .orElse(otherwise);
  }

  /** Returns the time between two changes of an event's hours that contains an instant. */
  public Span spanAt(Event event, long ms) {
    return areAlways() ? Span.ALWAYS : local(event).spanAt(ms);
  }

  /**
   * Returns the instant until which the limit is closed for an event, in epoch milliseconds; empty
   * if it is open.
   *
   * @param ms instant in question, epoch milliseconds
   */
  public OptionalLong closedUntilMs(Event event, long ms) {
    Span span = spanAt(event, ms);
    return span.isOpen() ? OptionalLong.empty() : OptionalLong.of(span.untilMs());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LimitHours that && hours.equals(that.hours) && zone.equals(that.zone);
  }

  @Override
  public int hashCode() {
    return 31 * hours.hashCode() + zone.hashCode();
  }

  /** Returns the hours and the zone, as in the configuration. */
  @Override
  public String toString() {
    return hours + " (" + zone + ")";
  }
}
