package io.sluice.server.ask;

import io.sluice.rules.limit.Verdict;
import io.sluice.topology.watch.Watch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parser of the event counts in another instance's response. It keeps a bounded number of limits.
 */
final class CountsReader {
  private static final String NAME = "[A-Za-z0-9_-]{0,200}";

  private final JsonReading json;

  private CountsReader(JsonReading json) {
    this.json = json;
  }

  /**
   * A parsed response with event counts.
   *
   * @param run unique name of the process that answers
   * @param history counts of its last steps by its own clock; the last step is still being counted
   */
  record Told(String run, Watch.History history) {}

  /**
   * Parses a response with event counts.
   *
   * @throws IllegalArgumentException if it is not a valid response; the message says why in one
   *     line
   */
  static Told read(byte[] text) {
    return JsonReading.read(text, json -> new CountsReader(json).told());
  }

  private Told told() throws IOException {
    String[] run = {""};
    long[] numbers = new long[3];
    List<Watch.Line> lines = new ArrayList<>();
    json.object(
        name -> {
          switch (name) {
            case "run" -> run[0] = name();
            case "nowMs" -> numbers[0] = json.number();
            case "fromMs" -> numbers[1] = json.number();
            case "stepMs" -> numbers[2] = json.number();
            case "lines" -> json.array(() -> add(lines, line()));
            default -> json.skip();
          }
        });
    check(!run[0].isEmpty(), "run");
    check(numbers[2] == Watch.STEP_MS, "stepMs");
    check(numbers[1] % Watch.STEP_MS == 0, "fromMs");
    long steps = (numbers[0] - numbers[1]) / Watch.STEP_MS + 1;
    check(numbers[0] >= numbers[1] && steps <= Watch.STEPS, "nowMs");
    for (Watch.Line line : lines) {
      check(line.counts().values().stream().allMatch(each -> each.length == steps), "lines");
    }
    return new Told(run[0], new Watch.History(numbers[1], numbers[2], (int) steps, lines));
  }

  private static void check(boolean right, String what) {
    if (!right) throw new IllegalArgumentException(what);
  }

  private static void add(List<Watch.Line> lines, Watch.Line line) {
    check(lines.stream().noneMatch(each -> isSame(each, line)), "a line is there twice");
    if (lines.size() < CountsText.MOST_LINES) lines.add(line);
  }

  private static boolean isSame(Watch.Line one, Watch.Line other) {
    return one.limit().equals(other.limit()) && one.shadow() == other.shadow();
  }

  private String name() throws IOException {
    String name = json.text();
    check(name.matches(NAME), "name");
    return name;
  }

  private Watch.Line line() throws IOException {
    String[] limit = {""};
    boolean[] shadow = {false};
    Map<Verdict.Kind, long[]> counts = new EnumMap<>(Verdict.Kind.class);
    json.object(
        field -> {
          Optional<Verdict.Kind> kind = kind(field);
          if (kind.isPresent()) counts.put(kind.get(), numbers());
          else if (field.equals("limit")) limit[0] = name();
          else if (field.equals("shadow")) shadow[0] = json.flag();
          else json.skip();
        });
    return new Watch.Line(limit[0], shadow[0], counts);
  }

  private static Optional<Verdict.Kind> kind(String field) {
    return Arrays.stream(Verdict.Kind.values()).filter(each -> each.text.equals(field)).findFirst();
  }

  private long[] numbers() throws IOException {
    long[] numbers = new long[Watch.STEPS];
    int[] size = {0};
    json.array(
        () -> {
          check(size[0] < numbers.length, "steps");
          numbers[size[0]++] = json.number();
        });
    return Arrays.copyOf(numbers, size[0]);
  }
}
