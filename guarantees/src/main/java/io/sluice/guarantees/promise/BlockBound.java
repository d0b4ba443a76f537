package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.Kept;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Bound of a limit with {@code block}: after the limit refuses an event, it allows no event of the
 * same key that it judges by a time before the end of the block.
 */
final class BlockBound {
  private BlockBound() {}

  /**
   * @param inOrder judged events of one key, allowed or over the limit, in the order of metering
   */
  static Stream<String> exceeded(Charges charges, List<Kept> inOrder) {
    long blockMs = charges.limit().blockMs();
    List<Kept> refusals = new ArrayList<>();
    List<String> found = new ArrayList<>();
    for (Kept end : inOrder) {
      if (charges.isRefusal(end)) {
        refusals.add(end);
        continue;
      }
      long judgedMs = charges.judgedMs(end);
      refusals.stream()
          .filter(each -> judgedMs < charges.judgedMs(each) + blockMs)
          .findFirst()
          .ifPresent(
              each ->
                  found.add(
                      "%s was allowed at %d, though %s was refused at %d, which blocks for %d ms"
                          .formatted(end, judgedMs, each, charges.judgedMs(each), blockMs)));
    }
    return found.stream().limit(1);
  }
}
