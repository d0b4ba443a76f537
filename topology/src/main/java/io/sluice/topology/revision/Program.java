package io.sluice.topology.revision;

import io.sluice.topology.config.LimitTexts;
import io.sluice.topology.config.RedisConfig;
import io.sluice.topology.limit.Limit;
import io.sluice.topology.limit.Limits;
import io.sluice.topology.limit.Verdict.Duplicates;
import io.sluice.topology.revision.LimitRevision.Settings;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A program that is no stream, whose limits revisions change as they change a stream's.
 *
 * @param settings of its limits, which have no mistakes, by what follows their names in the keys
 * @param redis without a URI if there is none
 * @param without settings that say nothing here, whatever revisions set them to
 * @param refusal why a limit cannot become so here, in one line; empty if it can
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

  /** What a revision says here; nothing if it is about what others have. */
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
