package io.sluice.guarantees.promise;

import static io.sluice.guarantees.scenario.QueueLimits.PARCEL;
import static io.sluice.guarantees.scenario.QueueLimits.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import org.junit.jupiter.api.Test;

class LineOrderKeptTest {
  private final HandMade run = new HandMade();

  private Kept waiting(String target, String action) {
    Kept input = run.inputOf("ann", target, action, 1);
    run.queued(input, 0, 500);
    return input;
  }

  @Test
  void anEventMustNotOvertakeAnotherOfItsLine() {
    Kept first = waiting("vendor0", TEXT);
    Kept second = waiting("vendor0", TEXT);
    run.released(second, 1_000);
    run.released(first, 1_100);

    assertThat(run.violationsOf(new LineOrderKept()))
        .singleElement()
        .asString()
        .contains("event 2", "was released at", "before event 1", "vendor of vendor0");
  }

  @Test
  void eventsThatAreReleasedAtOneInstantMustLeaveInOrder() {
    Kept first = waiting("vendor0", TEXT);
    Kept second = waiting("vendor0", TEXT);
    run.released(second, 1_000);
    run.released(first, 1_000);

    assertThat(run.violationsOf(new LineOrderKept())).hasSize(1);
  }

  @Test
  void eventsOfOneLineMayLeaveInOrder() {
    Kept first = waiting("vendor0", TEXT);
    Kept second = waiting("vendor0", TEXT);
    run.released(first, 1_000);
    run.released(second, 1_000);

    assertThat(run.violationsOf(new LineOrderKept())).isEmpty();
    assertThat(new LineOrderKept().cases(run.history())).isEqualTo(1);
  }

  @Test
  void eventsWithOtherBucketsAreInOtherLines() {
    Kept text = waiting("vendor0", TEXT);
    Kept other = waiting("vendor1", TEXT);
    Kept parcel = waiting("vendor0", PARCEL);
    run.released(parcel, 1_000);
    run.released(other, 1_100);
    run.released(text, 1_200);

    assertThat(run.violationsOf(new LineOrderKept())).isEmpty();
  }

  @Test
  void atLeastOnceThereIsNoOrder() {
    HandMade atLeastOnce = new HandMade(SomeModes.atLeastOnce());
    Kept first = atLeastOnce.inputOf("ann", "vendor0", TEXT, 1);
    Kept second = atLeastOnce.inputOf("ann", "vendor0", TEXT, 1);
    atLeastOnce.released(second, 1_000);
    atLeastOnce.released(first, 1_100);

    assertThat(atLeastOnce.violationsOf(new LineOrderKept())).isEmpty();
  }
}
