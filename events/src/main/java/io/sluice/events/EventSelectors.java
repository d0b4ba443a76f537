package io.sluice.events;

import static java.util.stream.Collectors.toUnmodifiableMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.sluice.events.Selector.Alternative;
import io.sluice.events.Selector.Root;
import io.sluice.rules.event.Field;
import io.sluice.rules.event.FieldForms;
import io.sluice.schemas.PathStep;
import io.sluice.schemas.PathTree;
import io.sluice.schemas.RecordReader;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Selectors of the fields of events, compiled to one tree of paths, so that a record is read once.
 * Immutable.
 */
public final class EventSelectors implements FieldForms {
  /** Text of the selector of attributes that are the fields of the record itself. */
  public static final String WHOLE = ".";

  /** Mistake in a selector of a list, where a single value is needed. */
  public static final String NO_SINGLE_VALUE =
      "a list has no single value: add | count, or an index";

  /** Default selectors, which are those of the fields of {@link io.sluice.schemas.UserAction}. */
  public static final EventSelectors DEFAULT = of(Map.of(), Map.of(), ValueRules.DEFAULT);

  private final Bound[] fields = new Bound[Role.values().length]; // see index
  private final Map<String, Bound> attributes = new HashMap<>();
  private final Optional<Selector> attributesPath;
  private final boolean hasAttributes;
  private final ValueRules rules;
  private final PathTree tree;

  /** Selector with the slots of its alternatives. */
  static final class Bound {
    /** Selector of a field that events do not have, which gives no value. */
    static final Bound NONE = new Bound(new Selector("", List.of(), List.of()), new int[0]);

    private final Selector selector;
    private final int[] slots;
    private final int only;
    private final boolean list;

    Bound(Selector selector, int[] slots) {
      this.selector = selector;
      this.slots = slots;
      boolean isOne = slots.length == 1 && selector.stages().isEmpty();
      only = isOne ? slots[0] : -1;
      list = selector.givesList();
    }

    /** Returns the slot that has the result; -1 if more than one path or any stage leads to it. */
    int only() {
      return only;
    }

    Selector selector() {
      return selector;
    }

    /** Returns the slot of an alternative; -1 if it is not in the record's value. */
    int slot(int alternative) {
      return slots[alternative];
    }

    /** Returns whether the result is a list, whose elements are values each. */
    boolean isList() {
      return list;
    }

    boolean isOutside() {
      return Arrays.stream(slots).allMatch(slot -> slot < 0);
    }

    boolean isIn(IntPredicate schema) {
      return Arrays.stream(slots).anyMatch(slot -> slot < 0 || schema.test(slot));
    }
  }

  /**
   * Rules for the values that selectors give.
   *
   * @param leastCost lowest valid cost of an event
   */
  public record ValueRules(EventTimes times, long leastCost) {
    public static final ValueRules DEFAULT = new ValueRules(EventTimes.DEFAULT, 1);
  }

  private EventSelectors(
      Map<Role, Selector> given, Map<String, Selector> named, boolean isWhole, ValueRules rules) {
    this.rules = rules;
    PathTree.Builder paths = new PathTree.Builder();
    attributesPath = Optional.ofNullable(given.get(Role.ATTRIBUTES));
    hasAttributes = isWhole || attributesPath.isPresent();
    if (hasAttributes) {
      paths.addAttributes(
          attributesPath.map(path -> path.alternatives().get(0).path()).orElse(List.of()));
    }
    Arrays.fill(fields, Bound.NONE);
    given.forEach(
        (role, selector) -> {
          if (role != Role.ATTRIBUTES) fields[index(role)] = bound(selector, paths, role.use());
        });
    named.forEach((name, each) -> attributes.put(name, bound(each, paths, PathTree.Use.TEXT)));
    tree = paths.build();
  }

  /**
   * Returns selectors by their texts.
   *
   * @param given texts of the selectors by role; an absent role has its default, and an empty text
   *     stands for a field that events do not have
   * @param named texts of the selectors of attributes, by the names of the attributes
   * @throws IllegalArgumentException if a text is not a selector for its field
   */
  public static EventSelectors of(
      Map<Role, String> given, Map<String, String> named, ValueRules rules) {
    Map<Role, Selector> selectors = new EnumMap<>(Role.class);
    boolean isWhole = given.getOrDefault(Role.ATTRIBUTES, "").equals(WHOLE);
    for (Role role : Role.values()) {
      String text = given.getOrDefault(role, role.defaultPath());
      if (text.isEmpty() || (role == Role.ATTRIBUTES && isWhole)) continue;
      selectors.put(role, parse(role, text));
    }
    Map<String, Selector> attributes =
        named.entrySet().stream()
            .collect(toUnmodifiableMap(Map.Entry::getKey, each -> parseAttribute(each.getValue())));
    return new EventSelectors(selectors, attributes, isWhole, rules);
  }

  /**
   * Parses the selector of a field.
   *
   * @throws IllegalArgumentException if the text is not a selector, or not one for this field
   */
  public static Selector parse(Role role, String text) {
    Selector selector = Selector.parse(text);
    if (role == Role.ATTRIBUTES && !selector.isPlain()) {
      throw new IllegalArgumentException(
          "the attributes are at one path, without functions; sluice.event.attribute.NAME takes a"
              + " selector");
    }
    return single(selector);
  }

  /**
   * Parses the selector of a named attribute.
   *
   * @throws IllegalArgumentException if the text is not a selector
   */
  public static Selector parseAttribute(String text) {
    return Selector.parse(text);
  }

  private static Selector single(Selector selector) {
    if (!selector.givesList()) return selector;
    throw new IllegalArgumentException(NO_SINGLE_VALUE);
  }

  private static Bound bound(Selector selector, PathTree.Builder paths, PathTree.Use use) {
    PathTree.Use checked = selector.isPlain() ? use : PathTree.Use.ANY;
    return new Bound(
        selector,
        selector.alternatives().stream()
            .mapToInt(each -> each.root() == Root.VALUE ? paths.add(each.path(), checked) : -1)
            .toArray());
  }

  /**
   * Returns selectors of one field only, whose raw value is also an attribute.
   *
   * @param raw name of that attribute
   */
  EventSelectors only(Role role, String raw) {
    if (role == Role.ATTRIBUTES) {
      Map<Role, Selector> path = new EnumMap<>(Role.class);
      attributesPath.ifPresent(selector -> path.put(role, selector));
      return new EventSelectors(path, Map.of(), hasAttributes && attributesPath.isEmpty(), rules);
    }
    Selector selector = field(role).selector;
    return new EventSelectors(Map.of(role, selector), Map.of(raw, selector), false, rules);
  }

  /** Returns the selector of one attribute only. */
  EventSelectors onlyAttribute(String name) {
    return new EventSelectors(Map.of(), Map.of(name, attributes.get(name).selector), false, rules);
  }

  /** Returns whether the required fields are in other parts of a record than its value. */
  boolean readsOutsideOnly() {
    return Arrays.stream(Role.values())
        .filter(Role::isRequired)
        .allMatch(role -> field(role).isOutside());
  }

  /** Returns whether the selectors are those of a {@code UserAction}. */
  boolean isDefault() {
    return attributes.isEmpty()
        && Arrays.stream(Role.values()).allMatch(role -> text(role).equals(role.defaultPath()));
  }

  PathTree tree() {
    return tree;
  }

  EventTimes times() {
    return rules.times;
  }

  /** Returns the lowest valid cost of an event. */
  public long leastCost() {
    return rules.leastCost;
  }

  /** Returns the selector of a field; {@link Bound#NONE} if events do not have the field. */
  Bound field(Role role) {
    return fields[index(role)];
  }

  /** Returns the index of a field; a map of the fields would slow the decoding of each event. */
  @SuppressWarnings("EnumOrdinal") // the numbers are not kept beyond the process
  private static int index(Role role) {
    return role.ordinal();
  }

  /** Returns the selectors of named attributes. */
  Map<String, Bound> attributes() {
    return attributes;
  }

  /** Returns whether events have attributes apart from those with a selector. */
  boolean hasAttributes() {
    return hasAttributes;
  }

  /** Returns whether events have a field with this role. */
  public boolean has(Role role) {
    return role == Role.ATTRIBUTES ? hasAttributes : field(role) != Bound.NONE;
  }

  /** Returns the selector of a field as it was written; empty if events do not have the field. */
  public String text(Role role) {
    if (role == Role.ATTRIBUTES) {
      return attributesPath.map(Selector::text).orElse(hasAttributes ? WHOLE : "");
    }
    return field(role).selector.text();
  }

  /** Returns the texts of the selectors of named attributes, by name. */
  public Map<String, String> attributeTexts() {
    return attributes.entrySet().stream()
        .collect(toUnmodifiableMap(Map.Entry::getKey, each -> each.getValue().selector.text()));
  }

  /** Returns the names of the attributes that are lists, whose elements are values each. */
  public Set<String> lists() {
    return attributes.entrySet().stream()
        .filter(each -> each.getValue().isList())
        .map(Map.Entry::getKey)
        .collect(toUnmodifiableSet());
  }

  /**
   * Returns a reader of the records of the last of these Avro schemas, which may refer to those
   * before it.
   *
   * @throws IllegalArgumentException if a text is not a schema, if the schema lacks all paths of a
   *     required field, or if a field has a type that it cannot be read from
   */
  public RecordReader reader(List<String> definitions) {
    RecordReader reader = RecordReader.parse(definitions, tree);
    requireFields(reader.name(), reader::has);
    return reader;
  }

  /**
   * Checks that a schema has the fields that events need.
   *
   * @param has whether the schema has the path of a slot
   * @throws IllegalArgumentException if it lacks all paths of a required field
   */
  void requireFields(String schema, IntPredicate has) {
    for (Role role : Role.values()) {
      Bound field = field(role);
      if (!role.isRequired() || field == Bound.NONE || field.isIn(has)) continue;
      throw new IllegalArgumentException(
          schema + " has no field " + field.selector.text() + ", which is the " + role.label());
    }
  }

  /**
   * Returns the selectors for the events of the schema {@code UserAction}, which have fixed names:
   * a selector of other fields is replaced by the field of this role, with the functions that
   * change text. A role without a field in {@code UserAction} keeps its selector, which may read an
   * attribute or another part of the record.
   */
  EventSelectors ofUserActions() {
    Map<Role, Selector> given = new EnumMap<>(Role.class);
    for (Role role : Role.values()) {
      Bound own = field(role);
      String name = role.defaultPath();
      if (!name.isEmpty()) given.put(role, fitting(own, name, List.of(PathStep.name(name))));
      else if (own != Bound.NONE) given.put(role, own.selector);
    }
    Map<String, Selector> named = new HashMap<>();
    attributes.forEach(
        (name, own) ->
            named.put(
                name,
                fitting(own, name, List.of(PathStep.name("attributes"), PathStep.name(name)))));
    return new EventSelectors(given, named, false, rules);
  }

  /** Returns whether a path is that of a field of a {@code UserAction}, or of an attribute. */
  private static boolean isOfUserAction(List<PathStep> path) {
    String first = path.get(0).name();
    boolean isAttribute = first.equals(Role.ATTRIBUTES.defaultPath());
    return isAttribute
        ? path.size() == 2 && path.get(1).isName()
        : path.size() == 1 && Role.isDefault(first);
  }

  private static Selector fitting(Bound own, String name, List<PathStep> otherwise) {
    Alternative other = new Alternative(Root.VALUE, otherwise);
    if (own == Bound.NONE) return new Selector(name, List.of(other), List.of());
    Selector selector = own.selector;
    boolean fits =
        selector.alternatives().stream()
            .anyMatch(each -> each.root() != Root.VALUE || isOfUserAction(each.path()));
    return fits ? selector : new Selector(selector.text(), List.of(other), selector.textStages());
  }

  @Override
  public String of(Field field, String typed) {
    Bound selected =
        switch (field.kind()) {
          case USER_ID -> field(Role.USER);
          case ACTION -> field(Role.ACTION);
          case TARGET -> field(Role.TARGET);
          case TOPIC -> Bound.NONE;
          case ATTRIBUTE -> attributes.getOrDefault(field.attribute(), Bound.NONE);
        };
    return selected.selector.keyForm(typed);
  }
}
