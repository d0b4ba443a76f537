package io.sluice.server.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class FairLockTest {
  private final FairLock turns = new FairLock(1);

  @Test
  void oneAfterTheOtherHasItsTurn() throws Exception {
    for (int i = 0; i < 3; i++) {
      assertThat(turns.begin()).isTrue();
      turns.end();
    }
  }

  /** One thread has the lock and one may wait, so the other four are refused. */
  @Test
  void whoComesWhenEnoughWaitIsRefusedAtOnce() throws Exception {
    assertThat(turns.begin()).isTrue();
    List<CompletableFuture<Boolean>> others = new ArrayList<>();
    for (int i = 0; i < 5; i++) others.add(begun());
    await().until(() -> others.stream().filter(CompletableFuture::isDone).count() == 4);
    assertThat(others.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join))
        .containsOnly(false);
    others.removeIf(CompletableFuture::isDone);
    turns.end();
    for (CompletableFuture<Boolean> waiting : others) {
      assertThat(waiting.get()).isTrue();
      turns.end();
    }
    assertThat(turns.begin()).isTrue();
  }

  @Test
  void whoHasWaitedComesBeforeWhoAsksLater() throws Exception {
    List<String> order = new CopyOnWriteArrayList<>();
    assertThat(turns.begin()).isTrue();
    Thread waiting =
        new Thread(
            () -> {
              if (!begins()) return;
              order.add("waited");
              turns.end();
            });
    waiting.start();
    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    turns.end();
    assertThat(turns.begin()).isTrue();
    order.add("asked later");
    assertThat(order).containsExactly("waited", "asked later");
  }

  private boolean begins() {
    try {
      return turns.begin();
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Test
  void whoIsInterruptedWhileWaitingLeavesThePlaceToAnother() throws Exception {
    assertThat(turns.begin()).isTrue();
    Thread.currentThread().interrupt();
    assertThat(interrupted()).isTrue();
    CompletableFuture<Boolean> next = begun();
    turns.end();
    assertThat(next.get()).isTrue();
  }

  private boolean interrupted() {
    try {
      turns.begin();
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  private CompletableFuture<Boolean> begun() {
    CompletableFuture<Boolean> came = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                came.complete(turns.begin());
              } catch (InterruptedException e) {
                came.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return came;
  }
}
