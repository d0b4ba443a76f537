package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import redis.clients.jedis.HostAndPort;

/**
 * What has failed of a run through a Cluster, and so must not be asked about by it any more: behind
 * a request that has no answer, those for the same place would be charged before it. Nor is a node
 * that does not answer asked again, which would take another timeout.
 */
final class Unanswered {
  private final IntFunction<Optional<HostAndPort>> ownerOf;
  private final Set<Integer> places = new HashSet<>();
  private final Set<HostAndPort> silent = new HashSet<>();
  private Optional<LimiterUnavailableException> first = Optional.empty();

  /**
   * @param ownerOf who has a place, as far as is known
   */
  Unanswered(IntFunction<Optional<HostAndPort>> ownerOf) {
    this.ownerOf = ownerOf;
  }

  /** Takes note of a call if it has failed. */
  void add(ClusterCall call) {
    if (call.failure().isEmpty()) return;
    if (first.isEmpty()) first = call.failure();
    places.add(call.scriptCall.place());
    call.silent().ifPresent(silent::add);
  }

  /** Whether a request for the place has failed, or is to fail without being asked about. */
  boolean concerns(int place) {
    if (first.isEmpty()) return false;
    return places.contains(place) || ownerOf.apply(place).map(silent::contains).orElse(true);
  }

  /**
   * @throws LimiterUnavailableException if anything has failed: the first failure
   */
  void throwFirst() {
    if (first.isPresent()) throw first.get();
  }
}
