package io.sluice.limiter.async;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.async.Gatherer.Call;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which server calls go to when one of them could not be passed to its asker. */
class AskersTest {
  private final List<Call> asked = new ArrayList<>();
  private boolean full;
  private final Askers askers = new Askers(Recording::new);

  /** Asker without a thread, which records its calls and answers none. */
  private final class Recording extends CallBatcher<Call> {
    Recording() {
      super("", calls -> {});
    }

    @Override
    public boolean take(Call call) {
      if (full) throw new StackOverflowError();
      return asked.add(call);
    }
  }

  private static Call call(int place, String server) {
    return new Call(Request.of(new Arrival("", 1, 0), List.of()), new Route(place, server));
  }

  private Call taken(int place, String server) {
    Call call = call(place, server);
    assertThat(askers.take(call)).isTrue();
    return call;
  }

  private void notTaken(int place, String server) {
    full = true;
    assertThatThrownBy(() -> askers.take(call(place, server)))
        .isInstanceOf(StackOverflowError.class);
    full = false;
  }

  private void leaveWhileFull(Call... calls) {
    full = true;
    askers.leave(List.of(calls));
    full = false;
  }

  @Test
  void aPlaceWhoseFirstCallIsNotTakenMovesLikeAnother() {
    notTaken(1, "a");
    Call next = taken(1, "b");
    assertThat(asked).containsExactly(next);
    askers.leave(List.of(next));
  }

  @Test
  void aPlaceWhoseNextCallIsNotTakenWaitsForThoseBefore() {
    Call first = taken(1, "a");
    notTaken(1, "a");
    Call next = taken(1, "b");
    assertThat(asked).containsExactly(first);
    askers.leave(List.of(first));
    assertThat(asked).containsExactly(first, next);
  }

  @Test
  void callsThatCouldNotMoveAreAskedBeforeTheNext() {
    Call first = taken(1, "a");
    Call second = taken(1, "b");
    Call third = taken(1, "b");
    leaveWhileFull(first);
    notTaken(1, "b");
    assertThat(asked).containsExactly(first);
    Call fourth = taken(1, "c");
    assertThat(asked).containsExactly(first, second, third);
    askers.leave(List.of(second, third));
    assertThat(asked).containsExactly(first, second, third, fourth);
  }

  @Test
  void aCallThatCannotMoveKeepsNoOtherFromLeaving() {
    Call first = taken(1, "a");
    Call other = taken(2, "a");
    taken(1, "b");
    leaveWhileFull(first, other);
    Call next = taken(2, "b");
    assertThat(asked).containsExactly(first, other, next);
  }
}
