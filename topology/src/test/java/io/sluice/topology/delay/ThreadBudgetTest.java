package io.sluice.topology.delay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ThreadBudgetTest {
  private final ThreadBudget.Threads threads = new ThreadBudget.Threads();

  @Test
  void theTasksOfAThreadShareHalfOfATick() {
    ThreadBudget first = threads.join(100);
    assertThat(first.millis()).isEqualTo(50);
    ThreadBudget second = threads.join(100);
    assertThat(first.millis()).isEqualTo(25);
    second.close();
    second.close();
    assertThat(first.millis()).isEqualTo(50);
  }

  @Test
  void aTaskWithoutWorkLeavesItsTimeToOthers() {
    ThreadBudget first = threads.join(100);
    ThreadBudget second = threads.join(100);
    second.hasWork(false);
    second.hasWork(false);
    assertThat(first.millis()).isEqualTo(50);
    first.hasWork(false);
    assertThat(first.millis()).isEqualTo(50);
    first.hasWork(true);
    second.hasWork(true);
    assertThat(first.millis()).isEqualTo(25);
    second.hasWork(false);
    second.close();
    assertThat(first.millis()).isEqualTo(50);
  }

  @Test
  void everyTaskGetsAMillisecond() {
    for (int i = 0; i < 99; i++) threads.join(10);
    assertThat(threads.join(10).millis()).isEqualTo(1);
  }

  @Test
  void otherThreadsHaveTheirOwn() {
    threads.join(100);
    long elsewhere = CompletableFuture.supplyAsync(() -> threads.join(100).millis()).join();
    assertThat(elsewhere).isEqualTo(50);
  }
}
