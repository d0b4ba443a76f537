package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.ChangingLimits;
import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Verdicts;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Guarantee that every event under a changing limit is judged by the revision (the dated change) in
 * force at the time of the event, also in the replay, which runs after all revisions have ended.
 */
final class RightRule implements Guarantee {
  /*
   * Judged event, and the rules by which it may be judged. Each event is the only one of its user,
   * so that the quota less one remains, and each revision sets another quota: so the remaining
   * permits in a header identify the rule.
   */
  private record Judged(Kept end, Set<String> answers) {}

  @Override
  public String weakened(Modes modes) {
    if (modes.wallClock()) return "by the wall clock, any rule from publishing to leaving is right";
    return modes.withoutRedis() == Modes.WithoutRedis.WAIT
        ? ""
        : "not for verdicts given without Redis";
  }

  @Override
  public long cases(History history) {
    return judged(history).filter(each -> each.answers().size() == 1).count();
  }

  @Override
  public Stream<String> violations(History history) {
    return judged(history).flatMap(RightRule::wrong);
  }

  private static Stream<String> wrong(Judged judged) {
    String rule = ruleOf(judged.end());
    if (judged.answers().contains(rule)) return Stream.of();
    return Stream.of(
        "%s was judged by '%s', and not by '%s'"
            .formatted(judged.end(), rule, String.join("' or '", judged.answers())));
  }

  private static Stream<Judged> judged(History history) {
    Answers answers = new Answers(history);
    return Stream.concat(first(history, answers), again(history, answers));
  }

  private static Stream<Judged> first(History history, Answers answers) {
    Map<Long, Long> copies =
        history.inputs().stream()
            .filter(input -> ChangingLimits.isFor(input.event()))
            .collect(Collectors.groupingBy(Kept::number, Collectors.counting()));
    return judged(history.allowed(), history.rejected(), answersOf(history, answers))
        .filter(each -> copies.getOrDefault(each.end().number(), 0L) == 1);
  }

  private static Function<Kept, Set<String>> answersOf(History history, Answers answers) {
    if (!history.modes().wallClock()) {
      return end -> answers.of(end.event(), end.event().occurredAtMs(), end.event().occurredAtMs());
    }
    LeftBy left =
        new LeftBy(Stream.of(history.allowed(), history.rejected()).flatMap(List::stream).toList());
    return end -> answers.of(end.event(), end.event().publishedAtMs(), left.of(end));
  }

  /**
   * Returns the judged events of the replay, whose application knows all revisions (dated changes
   * of limits).
   */
  private static Stream<Judged> again(History history, Answers answers) {
    return judged(
        history.again().allowed(),
        history.again().rejected(),
        end -> Set.of(answers.ofAll(end.event(), end.event().occurredAtMs())));
  }

  private static Stream<Judged> judged(
      List<Kept> allowed, List<Kept> rejected, Function<Kept, Set<String>> answers) {
    return Stream.of(allowed, rejected)
        .flatMap(List::stream)
        .filter(end -> ChangingLimits.isFor(end.event()) && !end.isWithoutRedis())
        .map(end -> new Judged(end, answers.apply(end)));
  }

  /**
   * Returns the rule by which an event was judged, derived from the verdict headers of its output.
   */
  private static String ruleOf(Kept end) {
    Described event = end.event();
    if (!event.action().equals(ChangingLimits.VERDICTS)) return quotaOf(end);
    if (end.header(Verdicts.REASON).equals(Verdicts.DENIED)) return Rules.REJECT;
    return end.header(Verdicts.LIMIT).isEmpty() ? Rules.ALLOW : Rules.METER;
  }

  private static String quotaOf(Kept end) {
    String remaining = end.header(Verdicts.REMAINING);
    boolean told = end.header(Verdicts.VERDICT).equals("allowed") && !remaining.isEmpty();
    return told ? ChangingLimits.quota(Long.parseLong(remaining) + 1) : "no quota";
  }
}
