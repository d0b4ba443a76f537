package io.sluice.rules.revision;

import io.sluice.rules.limit.Limit;
import io.sluice.rules.limit.Limits;
import io.sluice.rules.limit.Verdict.Duplicates;
import io.sluice.rules.revision.LimitRevision.Settings;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.rules.settings.RedisConfig;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Program that is not a stream, and whose limits revisions change as they change a stream's.
 *
 * @param settings valid settings of its limits, by what follows their names in the keys
 * @param redis has no URI if there is no Redis
 * @param without settings that have no meaning in the program, and are ignored in revisions
 * @param refusal returns why the program cannot have such a limit, in one line; empty if it can
 */
record Program(
    Map<String, Map<String, String>> settings,
    RedisConfig redis,
    Predicate<String> without,
    Function<Limit, String> refusal) {

  LimitTexts texts() {
    return LimitTexts.ofProgram(settings);
  }

  Limits limits() {
    LimitTexts texts = texts();
    List<Limit> all =
        texts.given().entrySet().stream()
            .map(each -> texts.read(each.getKey(), each.getValue()).limit())
            .toList();
    return Limits.of(all, false, Duplicates.CHARGE);
  }

  /** Returns the part of a revision that is about the program's limits; empty if there is none. */
  Optional<LimitRevision> adapted(LimitRevision revision) {
    if (!revision.isForEveryLimit() && !settings.containsKey(revision.limit())) {
      return Optional.empty();
    }
    Set<String> names = revision.set().names();
    if (names.stream().noneMatch(without)) return Optional.of(revision);
    if (names.stream().allMatch(without)) return Optional.empty();
    return Optional.of(revision.with(applying(revision.set())));
  }

  private Settings applying(Settings set) {
    Map<String, String> texts = new LinkedHashMap<>(set.texts());
    Set<String> back = new LinkedHashSet<>(set.back());
    texts.keySet().removeIf(without);
    back.removeIf(without);
    return new Settings(texts, back);
  }
}
