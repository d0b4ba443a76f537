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
 * Program that does not use Kafka Streams, and whose limits revisions change as they change those
 * of a Kafka Streams application.
 *
 * @param settings valid settings of the limits: by limit, then by the part of the key after the
 *     limit's name
 * @param redis settings for Redis; without a URI if the program has no Redis
 * @param without accepts names of settings that have no meaning in the program, and are ignored in
 *     revisions
 * @param refusal returns why the program cannot have a limit, in one line; empty if it can
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

  /**
   * Returns the part of a revision that changes the program's limits; empty if the revision changes
   * none of them.
   */
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
