package io.sluice.guarantees.promise;

import io.sluice.guarantees.evidence.History;
import java.util.stream.Stream;

/**
 * Guarantee that no instance ends by itself or continues with fewer stream threads, unless the run
 * caused this deliberately.
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
