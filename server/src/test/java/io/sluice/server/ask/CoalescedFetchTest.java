package io.sluice.server.ask;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CoalescedFetchTest {
  private final List<CompletableFuture<String>> fetched = new ArrayList<>();
  private long nowMs = 1_000_000;
  private final CoalescedFetch<String> shared =
      new CoalescedFetch<>(() -> Instant.ofEpochMilli(nowMs), this::next);

  private CompletableFuture<String> next() {
    fetched.add(new CompletableFuture<>());
    return fetched.get(fetched.size() - 1);
  }

  @Test
  void whoeverComesMeanwhileWaitsForTheSame() {
    CompletableFuture<String> first = shared.value();
    nowMs += 60_000;
    CompletableFuture<String> second = shared.value();
    assertThat(fetched).hasSize(1);
    assertThat(first).isNotDone();
    fetched.get(0).complete("a");
    assertThat(first).isCompletedWithValue("a");
    assertThat(second).isCompletedWithValue("a");
  }

  @Test
  void itIsKeptForTwoSecondsFromWhenItCame() {
    assertThat(shared.value()).isNotDone();
    nowMs += 3_000;
    fetched.get(0).complete("a");
    nowMs += 1_999;
    assertThat(shared.value()).isCompletedWithValue("a");
    nowMs++;
    assertThat(shared.value()).isNotDone();
    fetched.get(1).complete("b");
    assertThat(shared.value()).isCompletedWithValue("b");
    nowMs -= 1_000_000; // the clock is set back
    assertThat(shared.value()).isNotDone();
    assertThat(fetched).hasSize(3);
  }

  @Test
  void aFailureIsNotKept() {
    CompletableFuture<String> first = shared.value();
    fetched.get(0).completeExceptionally(new IllegalStateException("gone"));
    assertThat(first).isCompletedExceptionally();
    assertThat(shared.value()).isNotDone();
    assertThat(fetched).hasSize(2);
  }
}
