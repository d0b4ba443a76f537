package io.sluice.schemas;

import static java.util.stream.Collectors.toMap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Paths of the fields that the tests of readers take from records, and of the attributes. */
final class SamplePaths {
  // Before the default paths, which need it.
  private static final Pattern STEP = Pattern.compile("\\.?([^.\\[]+)|\\[([0-9]*)]");

  /** Paths of the fields of {@link UserAction}. */
  static final SamplePaths DEFAULT = of(Map.of());

  private final PathTree tree;
  private final Map<Part, Integer> slots = new EnumMap<>(Part.class);

  /** Field of a record, with its path in {@link UserAction}. */
  enum Part {
    USER("userId", PathTree.Use.TEXT),
    ACTION("action", PathTree.Use.TEXT),
    ID("eventId", PathTree.Use.TEXT),
    TIME("occurredAt", PathTree.Use.TIME),
    COST("cost", PathTree.Use.COUNT),
    TARGET("target", PathTree.Use.TEXT);

    private final String path;
    private final PathTree.Use use;

    Part(String path, PathTree.Use use) {
      this.path = path;
      this.use = use;
    }
  }

  private SamplePaths(Map<Part, String> paths, List<PathStep> attributes) {
    PathTree.Builder builder = new PathTree.Builder();
    builder.addAttributes(attributes);
    for (Part part : Part.values()) {
      String path = paths.getOrDefault(part, part.path);
      slots.put(part, builder.add(steps(path), part.use));
    }
    tree = builder.build();
  }

  /** Returns these paths, and the one of {@link UserAction} for each part that is not given. */
  static SamplePaths of(Map<Part, String> paths) {
    return new SamplePaths(paths, steps("attributes"));
  }

  /** Returns the default paths with the attributes at another path; empty for the record itself. */
  static SamplePaths withAttributes(String path) {
    return new SamplePaths(Map.of(), steps(path));
  }

  /** Returns the steps of a path such as {@code a.b[0].c[]}. */
  static List<PathStep> steps(String path) {
    List<PathStep> steps = new ArrayList<>();
    for (Matcher step = STEP.matcher(path); step.find(); ) {
      if (step.group(1) != null) steps.add(PathStep.name(step.group(1)));
      else if (step.group(2).isEmpty()) steps.add(PathStep.each());
      else steps.add(PathStep.element(Integer.parseInt(step.group(2))));
    }
    return steps;
  }

  RecordReader reader(String schema) {
    return RecordReader.parse(schema, tree);
  }

  Object value(RecordView view, Part part) {
    return view.values().get(slots.get(part));
  }

  /** Returns the values of the parts that the record has. */
  Map<Part, Object> values(RecordView view) {
    return Arrays.stream(Part.values())
        .filter(part -> Objects.nonNull(value(view, part)))
        .collect(toMap(part -> part, part -> value(view, part)));
  }

  boolean areIn(RecordReader reader, Part part) {
    return reader.has(slots.get(part));
  }
}
