package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.redis.ClusterCall.Unanswered;
import io.sluice.limiter.redis.ScriptCall.AnonymousNames;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;

class UnansweredTest {
  private static final HostAndPort A = new HostAndPort("a", 1);
  private static final HostAndPort B = new HostAndPort("b", 1);
  private static final LimiterUnavailableException FAILURE =
      new LimiterUnavailableException("failure", null);
  private static final LimiterUnavailableException LATER =
      new LimiterUnavailableException("later", null);

  private final Map<Integer, HostAndPort> owners = new HashMap<>(Map.of(1, A, 2, A, 3, B, 4, B));
  private final Unanswered unanswered =
      new Unanswered(place -> Optional.ofNullable(owners.get(place)));

  private static ClusterCall call(int place) {
    return new ClusterCall(new ScriptCall(new RedisKeys("sluice"), new AnonymousNames(), 0, place));
  }

  @Test
  void aFailureConcernsItsPlaceAndNoOtherOfTheNode() {
    ClusterCall call = call(3);
    call.failed(FAILURE);
    unanswered.add(call);
    assertThat(unanswered.concerns(3)).isTrue();
    assertThat(unanswered.concerns(4)).isFalse();
    assertThat(unanswered.concerns(1)).isFalse();
  }

  /** Holds too if the call went to the node by a redirection, and not by the map. */
  @Test
  void aNodeThatDoesNotAnswerConcernsAllOfItsPlaces() {
    ClusterCall call = call(3);
    call.failed(FAILURE, A);
    unanswered.add(call);
    assertThat(unanswered.concerns(3)).isTrue();
    assertThat(unanswered.concerns(4)).isFalse();
    assertThat(unanswered.concerns(1)).isTrue();
    assertThat(unanswered.concerns(2)).isTrue();
  }

  @Test
  void whereNobodyIsKnownItHasBeenTriedOnce() {
    assertThat(unanswered.concerns(5)).isFalse();
    ClusterCall call = call(3);
    call.failed(FAILURE);
    unanswered.add(call);
    assertThat(unanswered.concerns(5)).isTrue();
  }

  /** Otherwise it would be asked now, and charged before requests that were left out. */
  @Test
  void aPlaceThatWasLeftOutStaysOutWhenAnotherHasIt() {
    ClusterCall call = call(1);
    call.failed(FAILURE, A);
    unanswered.add(call);
    assertThat(unanswered.concerns(2)).isTrue();
    assertThat(unanswered.concerns(5)).isTrue();
    owners.putAll(Map.of(1, B, 2, B, 5, B));
    assertThat(unanswered.concerns(2)).isTrue();
    assertThat(unanswered.concerns(5)).isTrue();
    assertThat(unanswered.concerns(4)).isFalse();
  }

  @Test
  void theFirstFailureIsTold() {
    unanswered.add(call(1));
    unanswered.throwFirst();
    assertThat(unanswered.concerns(1)).isFalse();
    ClusterCall first = call(1);
    first.failed(FAILURE);
    unanswered.add(first);
    ClusterCall second = call(2);
    second.failed(LATER);
    unanswered.add(second);
    assertThatThrownBy(unanswered::throwFirst).isSameAs(FAILURE);
  }
}
