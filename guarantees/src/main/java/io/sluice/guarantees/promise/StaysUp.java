package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import java.util.stream.Stream;

/**
 * Checks that no instance ends by itself or continues with fewer threads, unless the run caused
 * that deliberately.
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
