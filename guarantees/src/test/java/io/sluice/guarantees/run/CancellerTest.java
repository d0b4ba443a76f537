package io.sluice.guarantees.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.CancelLog;
import io.sluice.guarantees.evidence.CancelLog.Given;
import io.sluice.guarantees.scenario.CancelRequest;
import io.sluice.guarantees.scenario.Described;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
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
    assertThat(CancelLog.in(folder).all()).extracting(Given::order).isEqualTo(orders);
    assertThat(CancelLog.in(folder).all())
        .allSatisfy(
            each ->
                assertThat(each.publishedMs() != CancelLog.NEVER)
                    .isEqualTo(each.order().id() % 2 == 0));
  }

  @Test
  void ifNothingWaitsThereIsNoOrder() throws InterruptedException {
    canceller(List.of()).cancelNext();

    assertThat(orders).isEmpty();
  }
}
