package io.sluice.cli.limits;

import picocli.CommandLine.Option;

/** The options of everything that is published: who, why, and whether at all. */
final class Signature {
  @Option(
      names = "--by",
      paramLabel = "NAME",
      description = "Who makes the change; your user name.")
  private String by = System.getProperty("user.name", "");

  @Option(names = "--note", paramLabel = "TEXT", description = "Why, for people.")
  private String note = "";

  @Option(names = "--dry-run", description = "Check and explain the change; publish nothing.")
  private boolean dryRun;

  String by() {
    return by;
  }

  String note() {
    return note;
  }

  boolean isDryRun() {
    return dryRun;
  }
}
