package io.sluice.guarantees.bed;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutagesTest {
  @Test
  void anOutageExcusesWhatWasStartedWhileItLastedAndNoLaterStart() throws InterruptedException {
    Outages outages = new Outages();
    long before = System.nanoTime();
    outages.during("the run killed the broker", () -> {});
    long after = System.nanoTime() + 1;

    assertThat(outages.since(before)).contains("the run killed the broker");
    assertThat(outages.since(after)).isEmpty();
  }
}
