package io.sluice.guarantees.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.CancelLog;
import io.sluice.guarantees.evidence.CancelLog.LoggedOrder;
import io.sluice.guarantees.scenario.CancelRequest;
import io.sluice.guarantees.scenario.Described;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CancellerTest {
  private static final Described EVENT =
      new Described(1, "parcel", "ann", "home", "e1", 0, 0, 1, Described.Kind.EVENT);

  @TempDir private Path folder;

  private final List<CancelRequest> orders = new ArrayList<>();

  private void give(CancelRequest order, Runnable published) {
    orders.add(order);
    if (order.id() % 2 == 0) published.run();
  }

  private Canceller canceller(List<Described> waiting) {
    return new Canceller(this::give, () -> waiting, CancelLog.in(folder), new SplittableRandom(1));
  }

  @Test
  void ordersAreForAnEventOrForAllOfItsUserAndAreWrittenDown() throws InterruptedException {
    Canceller canceller = canceller(List.of(EVENT));
    for (int i = 0; i < 40; i++) canceller.cancelNext();

    assertThat(orders).extracting(CancelRequest::user).containsOnly("ann");
    assertThat(orders).extracting(CancelRequest::event).containsOnly("e1", "");
    assertThat(CancelLog.in(folder).all()).extracting(LoggedOrder::order).isEqualTo(orders);
    assertThat(CancelLog.in(folder).all())
        .allSatisfy(
            each ->
                assertThat(each.publishedMs() != CancelLog.NEVER)
                    .isEqualTo(each.order().id() % 2 == 0));
  }

  @Test
  void theFirstOrderIsForTheLatestEvent() throws InterruptedException {
    Described latest =
        new Described(2, "parcel", "ann", "home", "e2", 0, 0, 1, Described.Kind.EVENT);
    CountDownLatch given = new CountDownLatch(1);
    List<CancelRequest> first = new CopyOnWriteArrayList<>();
    Canceller canceller =
        new Canceller(
            (order, published) -> {
              first.add(order);
              given.countDown();
            },
            () -> given.getCount() == 0 ? List.of() : List.of(EVENT, EVENT, EVENT, latest),
            CancelLog.in(folder),
            new SplittableRandom(1));
    canceller.start();

    assertThat(given.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(first).extracting(CancelRequest::event).containsExactly("e2");
  }

  @Test
  void ifNothingWaitsThereIsNoOrder() throws InterruptedException {
    canceller(List.of()).cancelNext();

    assertThat(orders).isEmpty();
  }
}
