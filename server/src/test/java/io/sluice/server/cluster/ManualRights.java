package io.sluice.server.cluster;

import io.sluice.live.kafka.Right;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/** Kafka rights that the manual lists, parsed from its table and from its commands. */
final class ManualRights {
  private static final Path PAGE = Path.of("../docs/running.md");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final Pattern ARGUMENT =
      Pattern.compile("--(operation|topic|group|transactional-id|resource-pattern-type) (\\S+)");

  private ManualRights() {}

  /** A right, and its purpose in the table. */
  record Row(Right right, String use) {
    boolean isToCreate() {
      return use.startsWith("only to create");
    }

    /** Whether an instance also runs without this right. */
    boolean isOnlyWanted() {
      return use.startsWith("only to tell") || use.startsWith("only to know") || isForRedrive();
    }

    /**
     * Whether the command that sends dead letters back needs this right, and an instance does not.
     */
    private boolean isForRedrive() {
      return use.startsWith("only to send");
    }

    boolean isForTransactions() {
      return use.startsWith("only exactly once");
    }
  }

  static List<Row> ofTheTable() {
    return lines()
        .filter(line -> line.matches("\\| (topic|group|transactional-id) \\|.*"))
        .flatMap(ManualRights::rows)
        .toList();
  }

  private static Stream<Row> rows(String line) {
    String[] cells = line.substring(1).split("\\|");
    ResourceType resource = resource(cells[0].strip());
    boolean prefixed = cells[1].contains("begin with");
    List<Row> rows = new ArrayList<>();
    for (String name : NAME.matcher(cells[1]).results().map(found -> found.group(1)).toList()) {
      for (String operation : cells[2].strip().split(", ")) {
        Right right = new Right(operation(operation), resource, name, pattern(prefixed));
        rows.add(new Row(right, cells[3].strip()));
      }
    }
    return rows.stream();
  }

  static List<Right> ofTheCommands() {
    return lines().filter(line -> line.startsWith("$acls ")).flatMap(ManualRights::rights).toList();
  }

  private static Stream<Right> rights(String command) {
    List<MatchResult> arguments = ARGUMENT.matcher(command).results().toList();
    boolean prefixed = command.endsWith("--resource-pattern-type prefixed");
    List<String> operations = new ArrayList<>();
    List<String[]> resources = new ArrayList<>();
    for (MatchResult argument : arguments) {
      if (argument.group(1).equals("operation")) operations.add(argument.group(2));
      else resources.add(new String[] {argument.group(1), argument.group(2)});
    }
    return resources.stream()
        .filter(each -> !each[0].startsWith("resource"))
        .flatMap(
            each ->
                operations.stream()
                    .map(
                        operation ->
                            new Right(
                                operation(operation),
                                resource(each[0]),
                                each[1],
                                pattern(prefixed))));
  }

  private static PatternType pattern(boolean prefixed) {
    return prefixed ? PatternType.PREFIXED : PatternType.LITERAL;
  }

  private static ResourceType resource(String name) {
    return ResourceType.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private static AclOperation operation(String name) {
    return Arrays.stream(AclOperation.values())
        .filter(each -> each.name().replace("_", "").equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow();
  }

  private static Stream<String> lines() {
    try {
      return Files.readAllLines(PAGE).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
