package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import java.util.stream.Stream;

/**
 * No instance ends by itself, and none goes on with fewer threads than it had, unless the run has
 * caused that by name.
 */
final class StaysUp implements Guarantee {
  @Override
  public long cases(History history) {
    return history.lives().starts();
  }

  @Override
  public Stream<String> violations(History history) {
    return history.lives().broken().stream();
  }
}
