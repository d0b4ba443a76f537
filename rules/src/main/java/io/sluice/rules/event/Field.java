package io.sluice.rules.event;

import java.util.List;
import java.util.regex.Pattern;

/** Field of an event that limits match on and count by. */
public record Field(Kind kind, String attribute) {
  /** Names of all fields that a limit can use, for error messages. */
  public static final String NAMES = "userId, action, target, topic or attributes.X";

  public static final Field USER_ID = new Field(Kind.USER_ID, "");
  public static final Field ACTION = new Field(Kind.ACTION, "");
  public static final Field TARGET = new Field(Kind.TARGET, "");
  public static final Field TOPIC = new Field(Kind.TOPIC, "");

  private static final String ATTRIBUTES = "attributes.";

  /** Characters of selectors, which the names of fields do not have. */
  private static final Pattern UNFIT = Pattern.compile("[\\s|/>()\\[\\]\"]");

  public enum Kind {
    USER_ID,
    ACTION,
    TARGET,
    TOPIC,
    ATTRIBUTE
  }

  /**
   * Returns the field that has this name in the configuration.
   *
   * @throws IllegalArgumentException if events have no such field
   */
  public static Field parse(String name) {
    return switch (name) {
      case "userId" -> USER_ID;
      case "action" -> ACTION;
      case "target" -> TARGET;
      case "topic" -> TOPIC;
      default -> attribute(name);
    };
  }

  private static Field attribute(String name) {
    if (!name.startsWith(ATTRIBUTES) || name.length() == ATTRIBUTES.length()) {
      throw new IllegalArgumentException("a field is " + NAMES);
    }
    return ofAttribute(name.substring(ATTRIBUTES.length()));
  }

  /**
   * Returns the field of an attribute.
   *
   * @throws IllegalArgumentException if an attribute of a limit cannot have the name
   */
  public static Field ofAttribute(String attribute) {
    if (UNFIT.matcher(attribute).find()) {
      throw new IllegalArgumentException(
          "the name of an attribute has no spaces and none of | / > ( ) [ ] \"; a selector goes into"
              + " sluice.event.attribute.NAME");
    }
    return new Field(Kind.ATTRIBUTE, attribute);
  }

  public String of(Event event) {
    return switch (kind) {
      case USER_ID -> event.userId();
      case ACTION -> event.action();
      case TARGET -> event.target();
      case TOPIC -> event.topic();
      case ATTRIBUTE -> event.attribute(attribute);
    };
  }

  /** Returns the values of a field that is a list in an event; empty if it is none. */
  public List<String> elementsOf(Event event) {
    return kind == Kind.ATTRIBUTE ? event.elements(attribute) : List.of();
  }

  /** Returns whether an event may lack the field; the field's value is empty then. */
  public boolean mayBeMissing() {
    return kind == Kind.TARGET || kind == Kind.ATTRIBUTE;
  }

  /** Returns the name of the field in the configuration. */
  @Override
  public String toString() {
    return switch (kind) {
      case USER_ID -> "userId";
      case ACTION -> "action";
      case TARGET -> "target";
      case TOPIC -> "topic";
      case ATTRIBUTE -> ATTRIBUTES + attribute;
    };
  }
}
