package io.sluice.schemas;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * Compiler from an Avro schema and the paths of values to the steps that read the schema's records.
 * It runs once for each schema.
 */
final class ReadingPlan {
  private final Set<Integer> found = new HashSet<>();

  private ReadingPlan() {}

  /**
   * Steps that read a record.
   *
   * @param found slots of the paths that the schema has
   */
  record Compiled(Step step, Set<Integer> found) {}

  /**
   * Returns the steps that read a record of this schema.
   *
   * @throws IllegalArgumentException if the schema is not that of a record, or if a needed field
   *     has a type that it cannot be read from
   */
  static Compiled of(Schema schema, PathTree paths) {
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException("must be a record, not a " + schema.getType().getName());
    }
    ReadingPlan plan = new ReadingPlan();
    Step step = plan.step(schema, paths.root(), schema.getName());
    return new Compiled(step, Set.copyOf(plan.found));
  }

  private Step step(Schema schema, PathNode node, String field) {
    if (!node.isWanted()) return new Step.Skip(schema, field);
    if (schema.isUnion()) return union(schema, node, field);
    for (int slot : node.slots()) found.add(slot);
    if (node.isAttributes()) return attributes(schema, node, field);
    return switch (schema.getType()) {
      case RECORD -> record(schema, node);
      case MAP -> map(schema, node);
      case ARRAY -> list(schema, node);
      default -> scalar(schema, node, field);
    };
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

  private Step scalar(Schema schema, PathNode node, String field) {
    if (!node.isLeaf()) return new Step.Skip(schema, field); // this type has no values below it
    if (!Scalar.isText(schema)) {
      requireFit(schema, node, false);
      Object unreadable = new Values.Unreadable(schema.getType().getName());
      return new Step.Note(new Step.Skip(schema, field), node, unreadable);
    }
    requireFit(schema, node, true);
    return new Step.Take(Scalar.reading(schema), node);
  }

  /**
   * Checks that a value can be what all of its users need.
   *
   * @throws IllegalArgumentException if it cannot
   */
  private static void requireFit(Schema schema, PathNode node, boolean isScalar) {
    for (PathTree.Use use : node.uses()) {
      boolean fit =
          switch (use) {
            case TEXT -> isScalar;
            case COUNT -> isScalar && canCount(schema);
            case TIME -> isScalar && canBeTime(schema);
            case ANY -> true;
          };
      if (!fit) throw unfit(schema, node.path(), use.accepted());
    }
  }

  private static boolean canCount(Schema schema) {
    return switch (schema.getType()) {
      case INT, LONG, FLOAT, DOUBLE, STRING -> true;
      default -> false;
    };
  }

  /** Checks also the unit, because Avro itself silently takes one unit of time for another. */
  private static boolean canBeTime(Schema schema) {
    return switch (schema.getType()) {
      case INT, LONG -> Scalar.saysUnit(schema) || Scalar.timeType(schema).isEmpty();
      case STRING, FLOAT, DOUBLE -> true;
      default -> false;
    };
  }

  private Step attributes(Schema schema, PathNode node, String field) {
    Step through =
        switch (schema.getType()) {
          case RECORD -> record(schema, node);
          case MAP -> isOnlySkipped(node) ? new Step.Skip(schema, field) : map(schema, node);
          default -> throw unfit(schema, node.path(), "a map or a record");
        };
    return new Step.TakeAttributes(schema, through);
  }

  /** Returns whether no path takes the map of attributes itself, or a single one of them. */
  private static boolean isOnlySkipped(PathNode node) {
    return node.names().isEmpty() && !node.isLeaf();
  }

  private Step record(Schema schema, PathNode node) {
    requireFit(schema, node, false);
    Step.Fields fields =
        new Step.Fields(
            schema.getFields().stream()
                .map(each -> step(each.schema(), node.child(each.name()), each.name()))
                .toList());
    return node.isLeaf() ? new Step.TakeRecord(node, fields) : fields;
  }

  private Step map(Schema schema, PathNode node) {
    requireFit(schema, node, false);
    Map<String, Step> wanted = new HashMap<>();
    for (String name : node.names()) {
      wanted.put(name, step(schema.getValueType(), node.child(name), node.path()));
    }
    Step others = new Step.Skip(schema.getValueType(), node.path());
    return new Step.Entries(wanted, others, node);
  }

  private Step list(Schema schema, PathNode node) {
    requireFit(schema, node, false);
    List<Step> first = new ArrayList<>();
    for (int index = 0; index <= node.highestElement(); index++) {
      first.add(step(schema.getElementType(), node.element(index), node.path()));
    }
    Step others = step(schema.getElementType(), node.element(first.size()), node.path());
    return new Step.Elements(first, others, node);
  }

  private static IllegalArgumentException unfit(Schema schema, String path, String accepted) {
    String type = Scalar.timeType(schema);
    return new IllegalArgumentException(
        path
            + " is of type "
            + schema.getType().getName()
            + (type.isEmpty() ? "" : " (" + type + ")")
            + "; accepted is "
            + accepted);
  }
}
