package io.sluice.topology.limit;

import static java.util.stream.Collectors.joining;

import io.sluice.topology.event.Event;
import io.sluice.topology.event.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The events that a limit applies to: those with an accepted value in each of its fields, without
 * those that it leaves to other limits.
 *
 * @param unless the names of limits that events are left to
 * @param others what those of them cover that are in force
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

  /** One field and the values it may have. */
  public record Clause(Field field, Values accepted) {
    boolean excludes(Clause other) {
      return field.equals(other.field) && accepted.exclude(other.accepted);
    }

    @Override
    public String toString() {
      return field + "=" + accepted;
    }
  }

  /** The same, but for events that these limits cover. */
  public Match unless(List<String> limits) {
    return new Match(clauses, limits, List.of());
  }

  /** The same, where these are what other limits cover. */
  Match without(List<Match> covered) {
    return new Match(clauses, unless, covered);
  }

  public boolean matches(Event event) {
    if (!covers(event)) return false;
    for (int i = 0; i < others.size(); i++) if (others.get(i).covers(event)) return false;
    return true;
  }

  /** Whether the fields match, whatever is left to other limits. */
  private boolean covers(Event event) {
    // By index: an iterator here would be an allocation for every limit and event.
    for (int i = 0; i < clauses.size(); i++) {
      Clause clause = clauses.get(i);
      if (!clause.accepted.accept(clause.field.of(event))) return false;
    }
    return true;
  }

  /** Whether an event without this field can match. */
  public boolean matchesWithout(Field field) {
    return field.mayBeMissing()
        && clauses.stream()
            .filter(clause -> clause.field.equals(field))
            .allMatch(clause -> clause.accepted.accept(""));
  }

  /** How many of the events with known values of some fields match. */
  public enum Share {
    ALL,
    SOME,
    NONE
  }

  /** Tells which of the events with these values in these fields match: all, some or none. */
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
   * Whether no event can match both, as they accept different values of some field. What is left to
   * other limits does not count: these may be taken away.
   */
  public boolean excludes(Match other) {
    return clauses.stream().anyMatch(mine -> other.clauses.stream().anyMatch(mine::excludes));
  }

  /** Whether both have the same fields and values. */
  public boolean coversAs(Match other) {
    return clauses.equals(other.clauses);
  }

  @Override
  public String toString() {
    return inWords(clauses.stream().map(Clause::toString));
  }

  /** With other words for the clauses, such as names for what is not to be shown. */
  public String inWords(Stream<String> fields) {
    String covered = clauses.isEmpty() ? "every event" : fields.collect(joining(" and "));
    return unless.isEmpty() ? covered : covered + " unless " + String.join(",", unless);
  }

  /**
   * The values that a field may have to match: some, those that begin so, or all but these. An
   * event without the field has the empty value, which only "all but these" accepts.
   *
   * @param negated whether all others are accepted, and not these
   * @param exact whole values
   * @param prefixes what values begin with; the empty one stands for every value there is
   */
  public record Values(boolean negated, Set<String> exact, List<String> prefixes) {
    private static final char NOT = '!';
    private static final char ANY = '*';
    private static final char ESCAPE = '\\';

    public Values {
      exact = Collections.unmodifiableSet(new LinkedHashSet<>(exact));
      prefixes = List.copyOf(prefixes);
    }

    /**
     * The values that texts stand for: {@code a}, {@code begin*} or, alone, {@code *}. A backslash
     * makes ! and * characters like others.
     *
     * @throws IllegalArgumentException saying what is accepted
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
        throw new IllegalArgumentException("* is every value, so it stands alone");
      }
      return new Values(negated, exact, List.copyOf(prefixes));
    }

    private static IllegalArgumentException misplaced() {
      return new IllegalArgumentException(
          "! stands before the whole list, as in !a,b, and * at the end of a value, or alone;"
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

    /** Asked of every limit with every event; allocates nothing. */
    boolean accept(String value) {
      return negated != isListed(value);
    }

    private boolean isListed(String value) {
      if (value.isEmpty()) return false;
      if (exact.contains(value)) return true;
      for (int i = 0; i < prefixes.size(); i++) if (value.startsWith(prefixes.get(i))) return true;
      return false;
    }

    /** Whether no value is accepted by both. Where all but some are accepted, the empty one is. */
    boolean exclude(Values other) {
      if (negated && other.negated) return false;
      if (negated) return other.exclude(this);
      return other.negated ? other.listsAllOf(this) : !overlaps(other) && !other.overlaps(this);
    }

    private boolean listsAllOf(Values other) {
      return other.exact.stream().allMatch(this::isListed)
          && other.prefixes.stream().allMatch(each -> prefixes.stream().anyMatch(each::startsWith));
    }

    /** Whether it lists a value of the other, or the beginning of what the other lists. */
    private boolean overlaps(Values other) {
      return other.exact.stream().anyMatch(this::isListed)
          || other.prefixes.stream().anyMatch(each -> prefixes.stream().anyMatch(each::startsWith));
    }

    /** The first of the texts that stands for none of these values. */
    public Optional<String> idle(List<String> values) {
      return texts().stream()
          .filter(text -> values.stream().noneMatch(of(false, List.of(text))::accept))
          .findFirst();
    }

    /** Each of the texts, as it may be written. */
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

    /** As a comma list. */
    @Override
    public String toString() {
      return (negated ? "!" : "") + String.join(",", texts());
    }
  }
}
