package io.sluice.rules.limit;

import static java.util.stream.Collectors.joining;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Condition for the events that a limit applies to: the event has an accepted value in the field of
 * each clause, and no limit that takes precedence matches it.
 *
 * @param unless names of the limits that take precedence
 * @param others conditions of the limits that take precedence and are in force
 */
public record Match(List<Clause> clauses, List<String> unless, List<Match> others) {
  /** Matches every event. */
  public static final Match ALL = new Match(List.of());

  public Match {
    clauses = List.copyOf(clauses);
    unless = List.copyOf(unless);
    others = List.copyOf(others);
  }

  public Match(List<Clause> clauses) {
    this(clauses, List.of(), List.of());
  }

  /** Field of an event, and the values that are accepted in it. */
  public record Clause(Field field, Values accepted) {
    boolean excludes(Clause other) {
      return field.equals(other.field) && accepted.exclude(other.accepted);
    }

    private boolean includes(Clause other) {
      return field.equals(other.field) && accepted.include(other.accepted);
    }

    @Override
    public String toString() {
      return field + "=" + accepted;
    }
  }

  /** Returns a copy that leaves events to the limits with these names. */
  public Match unless(List<String> limits) {
    return new Match(clauses, limits, List.of());
  }

  /** Returns a copy that matches only events with all of these fields. */
  Match requiring(List<Field> fields) {
    List<Clause> more = new ArrayList<>(clauses);
    for (Field field : fields) more.add(new Clause(field, Values.PRESENT));
    return new Match(more, unless, others);
  }

  /** Returns a copy that matches only events with these values. */
  public Match narrowedTo(Map<Field, String> values) {
    List<Clause> more = new ArrayList<>(clauses);
    values.forEach(
        (field, value) -> more.add(new Clause(field, new Values(false, Set.of(value), List.of()))));
    return new Match(more, unless, others);
  }

  /** Returns a copy that excludes the events that meet one of these conditions of other limits. */
  Match without(List<Match> covered) {
    return new Match(clauses, unless, covered);
  }

  public boolean matches(Event event) {
    if (!covers(event)) return false;
    for (int i = 0; i < others.size(); i++) if (others.get(i).covers(event)) return false;
    return true;
  }

  /**
   * Returns the first clause that an event does not meet, with the event's value; empty if it meets
   * all.
   */
  public Optional<String> misfit(Event event) {
    return clauses.stream()
        .filter(clause -> !clause.accepted.accept(clause.field.of(event)))
        .findFirst()
        .map(
            clause -> {
              String value = clause.field.of(event);
              return clause + " is wanted; the event has " + (value.isEmpty() ? "none" : value);
            });
  }

  /**
   * Returns whether an event has accepted values in all clauses, even if it is left to another
   * limit.
   */
  private boolean covers(Event event) {
    // Loops by index: an iterator would be an allocation for every limit and event.
    for (int i = 0; i < clauses.size(); i++) {
      Clause clause = clauses.get(i);
      if (!clause.accepted.accept(clause.field.of(event))) return false;
    }
    return true;
  }

  /** Returns whether an event without this field can match. */
  public boolean matchesWithout(Field field) {
    return field.mayBeMissing()
        && clauses.stream()
            .filter(clause -> clause.field.equals(field))
            .allMatch(clause -> clause.accepted.accept(""));
  }

  /** Part of the events with given values of some fields that match: all, some or none of them. */
  public enum Share {
    ALL,
    SOME,
    NONE
  }

  /**
   * Returns whether all, some or none of the events with this event's values in the known fields
   * match.
   */
  public Share shareOf(Event event, Collection<Field> known) {
    Share share = covered(event, known);
    for (Match other : others) {
      Share left = other.covered(event, known);
      if (left == Share.ALL) return Share.NONE;
      if (left == Share.SOME && share == Share.ALL) share = Share.SOME;
    }
    return share;
  }

  private Share covered(Event event, Collection<Field> known) {
    Share share = Share.ALL;
    for (Clause clause : clauses) {
      if (!known.contains(clause.field)) share = Share.SOME;
      else if (!clause.accepted.accept(clause.field.of(event))) return Share.NONE;
    }
    return share;
  }

  /**
   * Returns whether no event can match both this condition and the other one, because they accept
   * different values of a field. Ignores limits that take precedence, since they may be removed.
   */
  public boolean excludes(Match other) {
    return clauses.stream().anyMatch(mine -> other.clauses.stream().anyMatch(mine::excludes));
  }

  /**
   * Returns whether an event can match both this condition and the other one. Unlike {@link
   * #excludes}, takes into account the limits that take precedence.
   */
  public boolean overlaps(Match other) {
    return !excludes(other) && !leavesAll(other) && !other.leavesAll(this);
  }

  /** Returns whether a limit that takes precedence matches all events of the other condition. */
  private boolean leavesAll(Match other) {
    return others.stream().anyMatch(each -> each.coversAll(other));
  }

  /** Returns whether every event that matches the other condition matches this one. */
  public boolean includes(Match other) {
    return others.isEmpty() && coversAll(other);
  }

  private boolean coversAll(Match other) {
    return clauses.stream()
        .allMatch(mine -> other.clauses.stream().anyMatch(each -> mine.includes(each)));
  }

  /**
   * Returns whether this condition and the other one have the same fields and accepted values,
   * regardless of the limits that take precedence.
   */
  public boolean coversAs(Match other) {
    return clauses.equals(other.clauses);
  }

  @Override
  public String toString() {
    return inWords(clauses.stream().map(Clause::toString));
  }

  /**
   * Returns the condition as text, with the given texts for its clauses, which may show names in
   * place of secret values.
   */
  public String inWords(Stream<String> fields) {
    String covered = clauses.isEmpty() ? "every event" : fields.collect(joining(" and "));
    return unless.isEmpty() ? covered : covered + " unless " + String.join(",", unless);
  }

  /**
   * Accepted values of a field: listed values and prefixes, or all values except these. An event
   * without the field has the empty value, which is accepted only if {@code negated}.
   *
   * @param negated whether all values are accepted except the listed ones
   * @param exact whole values
   * @param prefixes beginnings of values; the empty prefix stands for every value but the empty one
   */
  public record Values(boolean negated, Set<String> exact, List<String> prefixes) {
    /** Every value but the empty one, so that the event has the field. */
    static final Values PRESENT = new Values(false, Set.of(), List.of(""));

    private static final char NOT = '!';
    private static final char ANY = '*';
    private static final char ESCAPE = '\\';

    public Values {
      exact = Collections.unmodifiableSet(new LinkedHashSet<>(exact));
      prefixes = List.copyOf(prefixes);
    }

    /**
     * Parses accepted values: a whole value, a prefix such as {@code begin*}, or {@code *} alone
     * for every value. A backslash makes ! and * ordinary characters.
     *
     * @throws IllegalArgumentException if a text is invalid; the message says what is accepted
     */
    public static Values of(boolean negated, List<String> texts) {
      if (texts.isEmpty() || texts.contains("")) {
        throw new IllegalArgumentException("a match is a value or a comma list of values");
      }
      Set<String> exact = new LinkedHashSet<>();
      Set<String> prefixes = new LinkedHashSet<>();
      for (String text : texts) {
        if (text.charAt(0) == NOT) throw misplaced();
        boolean begins =
            text.charAt(text.length() - 1) == ANY && !isEscaped(text, text.length() - 1);
        if (begins) prefixes.add(plain(text.substring(0, text.length() - 1)));
        else exact.add(plain(text));
      }
      if (prefixes.contains("") && exact.size() + prefixes.size() > 1) {
        throw new IllegalArgumentException("* matches every value, so it must be the only value");
      }
      return new Values(negated, exact, List.copyOf(prefixes));
    }

    private static IllegalArgumentException misplaced() {
      return new IllegalArgumentException(
          "! must be before the whole list, as in !a,b, and * at the end of a value, or alone;"
              + " \\\\! and \\\\* are the characters");
    }

    private static boolean isEscaped(String text, int at) {
      return at > 0 && text.charAt(at - 1) == ESCAPE;
    }

    private static String plain(String text) {
      StringBuilder plain = new StringBuilder(text.length());
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        boolean escaped = isEscaped(text, i);
        if (c == ANY && !escaped) throw misplaced();
        if (escaped && (c == ANY || c == NOT)) plain.setLength(plain.length() - 1);
        plain.append(c);
      }
      return plain.toString();
    }

    /**
     * Returns whether the value is accepted. Called for every limit and event; allocates nothing.
     */
    boolean accept(String value) {
      return negated != isListed(value);
    }

    private boolean isListed(String value) {
      if (value.isEmpty()) return false;
      if (exact.contains(value)) return true;
      for (int i = 0; i < prefixes.size(); i++) if (value.startsWith(prefixes.get(i))) return true;
      return false;
    }

    /**
     * Returns whether no value is accepted by both these values and the other ones. Two negated
     * lists both accept the empty value.
     */
    boolean exclude(Values other) {
      if (negated && other.negated) return false;
      if (negated) return other.exclude(this);
      return other.negated ? other.listsAllOf(this) : !overlaps(other) && !other.overlaps(this);
    }

    /** Returns whether these values accept every value that the other ones accept. */
    boolean include(Values other) {
      if (negated && other.negated) return other.listsAllOf(this);
      if (negated) return !overlaps(other) && !other.overlaps(this);
      return !other.negated && listsAllOf(other);
    }

    private boolean listsAllOf(Values other) {
      return other.exact.stream().allMatch(this::isListed)
          && other.prefixes.stream().allMatch(each -> prefixes.stream().anyMatch(each::startsWith));
    }

    /**
     * Returns whether this list contains a whole value of the other list, or a prefix with which a
     * prefix of the other list begins.
     */
    private boolean overlaps(Values other) {
      return other.exact.stream().anyMatch(this::isListed)
          || other.prefixes.stream().anyMatch(each -> prefixes.stream().anyMatch(each::startsWith));
    }

    /**
     * Returns the first listed value or prefix that accepts none of the given values; empty if each
     * accepts at least one.
     */
    public Optional<String> idle(List<String> values) {
      return texts().stream()
          .filter(text -> values.stream().noneMatch(of(false, List.of(text))::accept))
          .findFirst();
    }

    /** Returns the listed values and prefixes as they are written in the configuration. */
    public List<String> texts() {
      List<String> texts = new ArrayList<>();
      for (String each : exact) texts.add(escaped(each));
      for (String each : prefixes) texts.add(escaped(each) + ANY);
      return texts;
    }

    private static String escaped(String value) {
      String stars = value.replace("*", "\\*");
      return stars.startsWith("!") ? ESCAPE + stars : stars;
    }

    /**
     * Returns the list as it is written in the configuration: with commas, and with ! if negated.
     */
    @Override
    public String toString() {
      return (negated ? "!" : "") + String.join(",", texts());
    }
  }
}
