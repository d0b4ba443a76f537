package io.sluice.spring.metering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.async.CallBatcher;
import io.sluice.rules.limit.Limit;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.spring.method.Ask;
import io.sluice.spring.method.Fallback;
import io.sluice.spring.method.MethodLimit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The batches of asynchronous calls, with a fake Redis. */
class RedisGateBatchTest {
  private final HeapMeter heap = new HeapMeter((name, algorithm, key) -> Optional.empty());
  private final List<List<LateCall>> asked = new CopyOnWriteArrayList<>();
  private final CountDownLatch answers = new CountDownLatch(1);
  private final CallBatcher<LateCall> batcher =
      RedisGate.batcher(
          calls -> {
            asked.add(calls);
            await().until(() -> answers.getCount() == 0);
            throw new IllegalArgumentException("no answer");
          });

  @AfterEach
  void end() {
    answers.countDown();
    batcher.close();
  }

  private static Claim claim(String name, String backend) {
    Map<String, String> settings = Map.of("quota", "5/60s", "backend", backend);
    Limit limit = LimitTexts.none().read(name, settings).limit();
    MethodLimit ofMethod = new MethodLimit(name, limit, null, "", Fallback.NONE);
    return Claim.of(new Ask(ofMethod, limit.key().event(List.of("ada"))), limit);
  }

  private LateCall call(Claim... claims) {
    Claims metered = new Claims(List.of(claims), List.of());
    LateCall call =
        new LateCall(new CallMetering(heap, new Arrival("", 1, 0), metered), told -> {});
    assertThat(batcher.take(call)).isTrue();
    return call;
  }

  @Test
  void whatComesWhileRedisAnswersGoesTogetherFiveHundredAtATime() {
    Claim far = claim("far", "redis");
    call(far);
    await().until(() -> asked.size() == 1);
    for (int i = 0; i < 1_000; i++) call(far);
    answers.countDown();
    await().until(() -> asked.size() == 3);
    assertThat(asked).extracting(List::size).containsExactly(1, 500, 500);
  }

  @Test
  void fewGoTogetherThatThisProcessHasASayIn() {
    Claim far = claim("far", "redis");
    Claim near = claim("near", "state-store");
    call(far);
    await().until(() -> asked.size() == 1);
    for (int i = 0; i < 40; i++) call(near, far);
    call(far);
    answers.countDown();
    await().until(() -> asked.size() == 4);
    assertThat(asked).extracting(List::size).containsExactly(1, 16, 16, 9);
  }

  @Test
  void whatFailsForOnceFailsTheCallsThatItLeavesAndNoOthers() {
    answers.countDown();
    LateCall one = call(claim("far", "redis"));
    assertThat(catchThrowable(() -> one.metered().join()))
        .hasCauseInstanceOf(IllegalArgumentException.class);
    LateCall other = call(claim("far", "redis"));
    await().until(other::isDone);
    assertThat(asked).hasSize(2);
  }

  @Test
  void aCallThatNobodyHasAskedAboutIsGivenBackAtTheEnd() {
    LateCall first = call(claim("far", "redis"));
    await().until(() -> asked.size() == 1);
    LateCall second = call(claim("far", "redis"));
    assertThat(batcher.close()).containsExactly(second);
    assertThat(batcher.take(second)).isFalse();
    answers.countDown();
    await().until(first::isDone);
  }
}
