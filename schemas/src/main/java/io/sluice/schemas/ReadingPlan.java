package io.sluice.schemas;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * Compiler from an Avro schema and the paths of fields to the steps that read the schema's records.
 * It runs once for each schema.
 */
final class ReadingPlan {
  private static final String IDS = "a string, a whole number, an enum or a uuid";
  private static final String TIMES =
      "a long in milliseconds, timestamp-millis, timestamp-micros or timestamp-nanos, or a string in ISO-8601";
  private static final Map<String, Long> PER_MILLI =
      Map.of(
          "",
          1L,
          "timestamp-millis",
          1L,
          "timestamp-micros",
          1_000L,
          "timestamp-nanos",
          1_000_000L);

  private final Set<Role> found = EnumSet.noneOf(Role.class);

  private ReadingPlan() {}

  /**
   * Returns the step that reads a record of this schema.
   *
   * @throws IllegalArgumentException if the schema lacks a required field, or if a needed field has
   *     a type that it cannot be read from
   */
  static Step of(Schema schema, FieldPaths paths) {
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException("must be a record, not a " + schema.getType().getName());
    }
    ReadingPlan plan = new ReadingPlan();
    Step step = plan.step(schema, paths.root(), schema.getName());
    for (Role role : Role.values()) {
      if (role.isRequired() && !paths.of(role).isEmpty() && !plan.found.contains(role)) {
        throw new IllegalArgumentException(
            schema.getFullName()
                + " has no field "
                + paths.of(role)
                + ", which is the "
                + role.label());
      }
    }
    return step;
  }

  private Step step(Schema schema, PathNode node, String field) {
    if (!node.isLeaf() && !node.isInner()) return new Step.Skip(schema, field);
    if (schema.isUnion()) return union(schema, node, field);
    if (node.isLeaf()) return leaf(schema, node);
    return node.isAttributes() ? attributes(schema, node, field) : inner(schema, node, field);
  }

  /**
   * Returns the step that reads a union. If its branches other than null are all unfit, the schema
   * is refused; otherwise only an event that has an unfit branch.
   */
  private Step union(Schema union, PathNode node, String field) {
    List<Step> branches = new ArrayList<>();
    Optional<IllegalArgumentException> unfit = Optional.empty();
    boolean anyFits = false;
    for (Schema branch : union.getTypes()) {
      boolean none = branch.getType() == Schema.Type.NULL;
      try {
        branches.add(none ? new Step.Skip(branch, field) : step(branch, node, field));
        anyFits |= !none;
      } catch (IllegalArgumentException e) {
        branches.add(new Step.Refuse(e.getMessage()));
        unfit = Optional.of(e);
      }
    }
    if (unfit.isPresent() && !anyFits) throw unfit.get();
    return new Step.Branches(branches, field);
  }

  private Step leaf(Schema schema, PathNode node) {
    Step step =
        switch (node.role()) {
          case TIME -> time(schema, node);
          case COST -> cost(schema, node);
          default -> text(schema, node);
        };
    found.add(node.role());
    return step;
  }

  private static Step text(Schema schema, PathNode node) {
    if (!Scalar.isId(schema)) throw unfit(schema, node, node.role(), IDS);
    return new Step.TakeText(schema, node.role(), node.path());
  }

  private static Step cost(Schema schema, PathNode node) {
    boolean whole = schema.getType() == Schema.Type.INT || schema.getType() == Schema.Type.LONG;
    if (!whole) throw unfit(schema, node, Role.COST, "a whole number");
    return new Step.TakeCost(node.path());
  }

  /**
   * Returns the step that reads a time. The unit is checked, because Avro itself silently takes one
   * unit of time for another.
   */
  private static Step time(Schema schema, PathNode node) {
    String unit = Scalar.logicalType(schema);
    boolean known = PER_MILLI.containsKey(unit);
    return switch (schema.getType()) {
      case STRING -> new Step.TakeTimeText(node.path());
      case INT, LONG -> {
        if (!known) throw unfit(schema, node, Role.TIME, TIMES);
        yield new Step.TakeTime(node.path(), PER_MILLI.get(unit));
      }
      default -> throw unfit(schema, node, Role.TIME, TIMES);
    };
  }

  private Step attributes(Schema schema, PathNode node, String field) {
    if (schema.getType() != Schema.Type.MAP && schema.getType() != Schema.Type.RECORD) {
      throw unfit(schema, node, Role.ATTRIBUTES, "a map or a record");
    }
    return new Step.TakeAttributes(schema, inner(schema, node, field));
  }

  private Step inner(Schema schema, PathNode node, String field) {
    return switch (schema.getType()) {
      case RECORD ->
          new Step.Fields(
              schema.getFields().stream()
                  .map(each -> step(each.schema(), node.child(each.name()), each.name()))
                  .toList());
      case MAP -> map(schema, node, field);
      default -> new Step.Skip(schema, field); // this type has no fields below it
    };
  }

  private Step map(Schema schema, PathNode node, String field) {
    if (node.names().isEmpty()) return new Step.Skip(schema, field);
    Map<String, Step> wanted = new HashMap<>();
    for (String name : node.names()) {
      wanted.put(name, step(schema.getValueType(), node.child(name), field));
    }
    return new Step.Entries(wanted, new Step.Skip(schema.getValueType(), field), field);
  }

  private static IllegalArgumentException unfit(
      Schema schema, PathNode node, Role role, String accepted) {
    String unit = Scalar.logicalType(schema);
    return new IllegalArgumentException(
        node.path()
            + " is of type "
            + schema.getType().getName()
            + (unit.isEmpty() ? "" : " (" + unit + ")")
            + ", and the "
            + role.label()
            + (role == Role.ATTRIBUTES ? " are " : " is ")
            + accepted);
  }
}
