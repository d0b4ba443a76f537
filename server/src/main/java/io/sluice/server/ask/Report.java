package io.sluice.server.ask;

import static java.util.Comparator.comparing;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.sluice.rules.event.Field;
import io.sluice.rules.limit.LimitKey;
import io.sluice.server.web.JsonText;
import io.sluice.topology.watch.Top;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Report of the keys of each limit that had most events of one verdict, as a JSON response of the
 * API.
 *
 * @param by the verdict, such as {@code rejected}
 * @param asOfMs time of the report, epoch milliseconds
 * @param limits in the response of the API, those with most events first
 * @param answered the instances whose events are included
 * @param unanswered the instances whose events are missing
 */
public record Report(
    @JsonProperty(required = true) String by,
    long asOfMs,
    List<OfLimit> limits,
    List<String> answered,
    List<Unanswered> unanswered) {
  /**
   * Maximum number of limits in a report; further ones are ignored. An instance has fewer limits;
   * the number bounds memory.
   */
  static final int MOST_LIMITS = 10_000;

  public Report {
    JsonText.check(!by.isEmpty());
    limits = List.copyOf(limits.subList(0, Math.min(MOST_LIMITS, limits.size())));
  }

  /** An instance whose events are missing, with the reason in one line. */
  public record Unanswered(String instance, String why) {}

  /**
   * Report of the keys of one limit that had most events.
   *
   * @param shadow whether the limit is in shadow mode, so that its verdict had no effect
   * @param keyFields fields of the keys, in order
   * @param watched false if the limit's events were counted, but not by key, for lack of room; null
   *     if this is not known, because an instance of another version does not say it
   * @param windowMs length of the time in which the events were counted, milliseconds
   * @param events number of all events, of listed and other keys
   * @param othersAtMost upper bound on the number of events of any key that is not in the list
   */
  public record OfLimit(
      String limit,
      boolean shadow,
      List<String> keyFields,
      @JsonInclude(JsonInclude.Include.NON_NULL) @JsonSetter(nulls = Nulls.SET) Boolean watched,
      long windowMs,
      long events,
      long othersAtMost,
      List<Key> keys) {
    /** Creates the report of a limit without events. */
    static OfLimit of(String limit, boolean shadow, List<String> keyFields) {
      return new OfLimit(limit, shadow, keyFields, true, 0, 0, 0, List.of());
    }

    OfLimit with(Boolean nowWatched, Top top) {
      LimitKey fields = new LimitKey(keyFields.stream().map(Field::parse).toList());
      return new OfLimit(
          limit,
          shadow,
          keyFields,
          nowWatched,
          top.windowMs(),
          top.events(),
          top.othersAtMost(),
          top.keys().stream().map(each -> Key.of(each, fields)).toList());
    }

    public Top top() {
      List<Top.Heavy> all =
          keys.stream().map(each -> new Top.Heavy(each.key, each.atLeast, each.atMost)).toList();
      return new Top(all, othersAtMost, events, windowMs).first(Top.MOST);
    }

    /**
     * Name by which the counts of a limit are summed: a limit in shadow mode is not added to an
     * enforced limit of the same name.
     */
    private String name() {
      return limit + (shadow ? " shadow" : "");
    }

    private OfLimit sum(List<OfLimit> others) {
      List<OfLimit> parts = new ArrayList<>(List.of(this));
      parts.addAll(others);
      Top top = Top.merged(parts.stream().map(OfLimit::top).toList(), windowMs);
      boolean allWatched =
          parts.stream().map(OfLimit::watched).filter(Objects::nonNull).allMatch(each -> each);
      return with(allWatched, top);
    }
  }

  /**
   * A key with bounds on its number of events.
   *
   * @param fields names and values of the key's fields; null if the key is shortened
   */
  public record Key(
      String key,
      long atLeast,
      long atMost,
      @JsonInclude(JsonInclude.Include.NON_NULL) Map<String, String> fields) {
    private static Key of(Top.Heavy heavy, LimitKey of) {
      List<String> values = heavy.isCut() ? List.of() : of.values(heavy.key());
      Map<String, String> fields = new LinkedHashMap<>();
      boolean whole = values.size() == of.fields().size();
      for (int i = 0; whole && i < values.size(); i++) {
        fields.put(of.fields().get(i).toString(), values.get(i));
      }
      return new Key(heavy.key(), heavy.atLeast(), heavy.atMost(), whole ? fields : null);
    }
  }

  /**
   * Adds the reports of other instances to this instance's report. Limits that this report does not
   * have are ignored.
   */
  Report with(OtherInstances.Responses<Report> others) {
    Map<String, List<OfLimit>> parts = new LinkedHashMap<>();
    for (OfLimit each : limits) parts.put(each.name(), new ArrayList<>());
    for (Report report : others.said()) {
      for (OfLimit each : report.limits) {
        List<OfLimit> known = parts.get(each.name());
        if (known != null) known.add(each);
      }
    }
    List<OfLimit> sums = limits.stream().map(each -> each.sum(parts.get(each.name()))).toList();
    return new Report(by, asOfMs, sums, others.answered(), others.unanswered());
  }

  /** Returns the limits, and of each limit the keys, that had most events. */
  Report first(int mostLimits, int mostKeys) {
    List<OfLimit> first =
        limits.stream()
            .sorted(comparing(OfLimit::events).reversed())
            .limit(mostLimits)
            .map(each -> each.with(each.watched, each.top().first(mostKeys)))
            .toList();
    return new Report(by, asOfMs, first, answered, unanswered);
  }
}
