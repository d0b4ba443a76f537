package io.sluice.cli.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.topology.revision.LimitRevision;
import io.sluice.topology.revision.LimitRevision.UnreadableRevisionException;
import io.sluice.topology.revision.RevisionReader;
import io.sluice.topology.revision.Scope;
import io.sluice.topology.revision.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a change, and the revisions that they draft. */
final class Change {
  @Option(
      names = "--for",
      paramLabel = "FIELD=VALUE",
      description =
          "Only for events with this value, such as userId=shop-7. Several times: with all of them.")
  private List<String> values = List.of();

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "When it takes effect: ISO-8601, now, or +10m from now. Default: +2s.")
  private String at = "+2s";

  @Mixin private Signature signature;

  boolean isDryRun() {
    return signature.isDryRun();
  }

  Scope scope() {
    List<String> mistakes = new ArrayList<>();
    Scope scope = Given.scope(values, mistakes);
    MistakenException.throwIfAny(mistakes);
    return scope;
  }

  long atMs(long nowMs) {
    return Times.read("--at", at, nowMs);
  }

  /**
   * A revision.
   *
   * @param until empty if it holds for good
   * @throws MistakenException with what is wrong with the options
   */
  LimitRevision draft(String limit, Settings set, String until, long nowMs) {
    List<String> mistakes = new ArrayList<>();
    Scope scope = Given.scope(values, mistakes);
    long from = time("--at", at, nowMs, mistakes);
    long end = until.isEmpty() ? LimitRevision.FOR_GOOD : time("--until", until, nowMs, mistakes);
    MistakenException.throwIfAny(mistakes);
    return draft(limit, scope, set, from, end);
  }

  private static long time(String option, String text, long nowMs, List<String> mistakes) {
    try {
      return Times.read(option, text, nowMs);
    } catch (MistakenException e) {
      mistakes.add(e.getMessage());
      return nowMs;
    }
  }

  /** A revision of that time. */
  LimitRevision draft(String limit, Scope scope, Settings set, long fromMs, long untilMs) {
    String id = UUID.randomUUID().toString();
    return readable(
        new LimitRevision(
            id, limit, scope, set, fromMs, untilMs, signature.by(), signature.note()));
  }

  /**
   * The same, as every instance will read it.
   *
   * @throws MistakenException if none would, with what is wrong
   */
  static LimitRevision readable(LimitRevision draft) {
    byte[] value = RevisionReader.json(draft).getBytes(UTF_8);
    try {
      return new RevisionReader().ofRecord(draft.id().getBytes(UTF_8), value, 0);
    } catch (UnreadableRevisionException e) {
      throw new MistakenException(e.getMessage());
    }
  }
}
