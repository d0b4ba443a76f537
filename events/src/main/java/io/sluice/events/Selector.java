package io.sluice.events;

import static java.util.stream.Collectors.joining;

import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.PathStep;
import java.util.List;

/**
 * Selector of a value of an event, in a small subset of the language of jq: {@code userId //
 * anonymousId | trim | lower}. The first alternative that is present and not null gives the value,
 * and the stages behind the bars change it, from left to right. Immutable.
 *
 * @param text selector as it was written
 */
public record Selector(String text, List<Alternative> alternatives, List<Stage> stages) {
  public Selector {
    alternatives = List.copyOf(alternatives);
    stages = List.copyOf(stages);
  }

  /**
   * Parses a selector.
   *
   * @throws IllegalArgumentException if the text is not a selector, or one that can never give a
   *     value; the message names the place
   */
  public static Selector parse(String text) {
    return new SelectorParser(text).selector();
  }

  /** Origin of an alternative's value: the record's value, or another part of the record. */
  public enum Root {
    /** The value of the record; the path leads into it. */
    VALUE(""),
    /** The key of the record, as UTF-8 text. */
    KEY("$key"),
    /** The last header with a name, as UTF-8 text; the path is its name. */
    HEADER("$headers"),
    /** The name of the input topic. */
    TOPIC("$topic"),
    /** The timestamp of the record, in epoch milliseconds. */
    TIMESTAMP("$timestamp");

    final String text;

    Root(String text) {
      this.text = text;
    }
  }

  /** Path to a value, of which the first that is present is used. */
  public record Alternative(Root root, List<PathStep> path) {
    public Alternative {
      path = List.copyOf(path);
    }

    /** Returns the name of the header that the alternative reads. */
    String header() {
      return path.get(0).name();
    }

    boolean readsEach() {
      return path.stream().anyMatch(PathStep::isEach);
    }

    @Override
    public String toString() {
      String steps = path.stream().map(Alternative::text).collect(joining());
      if (root != Root.VALUE) return root.text + steps;
      return steps.startsWith(".") ? steps.substring(1) : steps;
    }

    private static String text(PathStep step) {
      if (step.isEach()) return "[]";
      if (!step.isName()) return "[" + step.index() + "]";
      return "." + SelectorParser.quoted(step.name());
    }
  }

  /** Step that changes a value. */
  public interface Stage {
    /**
     * Returns the changed value; null if there is none, which is as if the field were missing.
     *
     * @param value a value of the classes that {@link io.sluice.schemas.Values} names
     * @throws UnfitValueException if the stage cannot take such a value
     */
    Object apply(Object value) throws UnfitValueException;

    /** Returns whether the stage makes text of text, so that it can be applied to a typed key. */
    default boolean makesText() {
      return true;
    }
  }

  /** Returns whether the selector is a single path into the record's value, without a stage. */
  public boolean isPlain() {
    return alternatives.size() == 1
        && stages.isEmpty()
        && alternatives.get(0).root() == Root.VALUE
        && !alternatives.get(0).readsEach();
  }

  /** Returns whether the path of this plain selector leads through that of another plain one. */
  public boolean leadsThrough(Selector outer) {
    List<PathStep> own = alternatives.get(0).path();
    List<PathStep> other = outer.alternatives.get(0).path();
    return own.size() > other.size() && own.subList(0, other.size()).equals(other);
  }

  /** Returns whether the result may be a list. */
  public boolean givesList() {
    return alternatives.stream().anyMatch(Alternative::readsEach)
        && stages.stream().allMatch(Stage::makesText);
  }

  /** Applies the stages to a value. */
  Object applied(Object value) throws UnfitValueException {
    Object result = value;
    for (int i = 0; i < stages.size() && result != null; i++) result = stages.get(i).apply(result);
    return result;
  }

  /** Returns the stages behind the last one that does not make text of text. */
  List<Stage> textStages() {
    int from = stages.size();
    while (from > 0 && stages.get(from - 1).makesText()) from--;
    return stages.subList(from, stages.size());
  }

  /**
   * Returns the form in which events have a key that a person types: changed by the stages behind
   * the last one that does not make text of text. A value of which a stage makes nothing stays as
   * it was before that stage, since it may be in the form of events already.
   */
  public String keyForm(String typed) {
    Object form = typed;
    for (Stage stage : textStages()) {
      try {
        Object next = stage instanceof TextFunction text ? text.ofTyped(form) : stage.apply(form);
        if (next != null && !next.toString().isEmpty()) form = next;
      } catch (UnfitValueException e) {
        return form.toString(); // no event has such a value either
      }
    }
    return form.toString();
  }

  /** Thrown if a value is of a kind that a field or a function cannot take; says which. */
  public static final class UnfitValueException extends Exception {
    private static final long serialVersionUID = 1L;

    private final FaultKind kind;

    UnfitValueException(String message) {
      this(FaultKind.INVALID_FIELD, message);
    }

    UnfitValueException(FaultKind kind, String message) {
      super(message, null, false, false);
      this.kind = kind;
    }

    FaultKind kind() {
      return kind;
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
