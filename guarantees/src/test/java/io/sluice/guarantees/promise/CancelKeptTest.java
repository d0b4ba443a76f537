package io.sluice.guarantees.promise;

import static io.sluice.guarantees.promise.HandMade.NOON_MS;
import static io.sluice.guarantees.scenario.QueueLimits.PARCEL;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.guarantees.evidence.Kept;
import io.sluice.guarantees.scenario.CancelRequest;
import io.sluice.guarantees.scenario.FaultKind;
import io.sluice.guarantees.scenario.Modes;
import io.sluice.guarantees.scenario.Verdicts;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CancelKeptTest {
  @TempDir private Path folder;
  private HandMade run;

  @BeforeEach
  void begin() {
    run = new HandMade(Modes.plain(), folder);
  }

  private Kept waiting(long cameMs) {
    Kept input = run.inputOf("ann", "home", PARCEL, 1);
    run.queued(input, cameMs, 500);
    return input;
  }

  private void cancelled(Kept input) {
    Kept end = run.rejected(input);
    end.record().headers().add(Verdicts.REASON, Verdicts.CANCELLED.getBytes(UTF_8));
  }

  private void ordered(String event, long atMs) {
    CancelRequest order = new CancelRequest(atMs, "ann", event);
    run.notes().cancels().given(order, NOON_MS + atMs);
    run.notes().cancels().published(order, NOON_MS + atMs + 500);
  }

  /** Adds events that were published in each second up to this one, and metered at once. */
  private void atWork(long seconds) {
    for (int i = 0; i < seconds; i++)
      run.released(run.publishedBy("ann", PARCEL, i * 1_000), i * 1_000 + 100);
  }

  private List<String> violations() {
    return run.violationsOf(new CancelKept());
  }

  private long cases() {
    return new CancelKept().cases(run.history());
  }

  private List<String> lost() {
    return run.violationsOf(new NothingLost());
  }

  @Test
  void anEventThatAnOrderNamesEndsAsCancelled() {
    Kept input = waiting(0);
    ordered(input.event().id(), 2_000);
    assertThat(cases()).isZero();
    cancelled(input);

    assertThat(cases()).isOne();
    assertThat(violations()).isEmpty();
    assertThat(lost()).isEmpty();
    assertThat(run.violationsOf(new NothingTwice())).isEmpty();
  }

  @Test
  void anOrderMustNotBeLost() {
    Kept input = waiting(0);
    ordered(input.event().id(), 2_000);
    run.released(input, 12_000);
    atWork(12);

    assertThat(violations())
        .singleElement()
        .asString()
        .contains("event 1 (parcel of ann", "though an order of", "had cancelled it");
  }

  @Test
  void anOrderForAllOfAUserMustNotMissAnEvent() {
    cancelled(waiting(0));
    Kept missed = waiting(0);
    ordered("", 2_000);
    run.released(missed, 12_000);
    atWork(12);

    assertThat(violations())
        .singleElement()
        .asString()
        .contains("event 2 (parcel of ann", "had cancelled all of its user");
  }

  @Test
  void anEventMayLeaveBeforeItsPartitionHasReadTheOrder() {
    Kept soon = waiting(0);
    Kept late = waiting(0);
    ordered("", 2_000);
    run.released(soon, 8_500);
    atWork(7);
    run.released(late, 90_000);

    assertThat(violations()).as("the partition stood still").isEmpty();
  }

  @Test
  void oldInputIsNoProofThatAnOrderWasRead() {
    Kept input = waiting(0);
    ordered("", 2_000);
    for (int i = 0; i < 60; i++)
      run.released(run.publishedBy("ann", PARCEL, 100 * i), 20_000 + i * 1_000);
    run.released(input, 85_000);

    assertThat(violations()).as("the partition catches up").isEmpty();
  }

  @Test
  void aPartitionMayReadAnOrderAfterItsBacklog() {
    run.notes().faults().lasted(FaultKind.KILL, NOON_MS + 1_000, NOON_MS + 69_000);
    Kept first = waiting(0);
    Kept second = waiting(0);
    ordered("", 2_000);
    for (int i = 0; i < 60; i++)
      run.released(run.publishedBy("ann", PARCEL, i * 1_000), 70_000 + i * 100);
    for (int i = 66; i < 90; i++)
      run.released(run.publishedBy("ann", PARCEL, i * 1_000), Math.max(76_000, i * 1_000) + 100);
    run.released(first, 86_000);
    run.released(second, 89_000);

    assertThat(violations()).singleElement().asString().contains("event 2 ");
  }

  @Test
  void anEventThatComesLaterIsNotCancelled() {
    Kept later = waiting(1_500);
    ordered("", 2_000);
    run.released(later, 60_000);
    atWork(60);

    assertThat(violations()).isEmpty();
  }

  @Test
  void afterAFaultAPartitionMayReadAnOrderLater() {
    run.notes().faults().lasted(FaultKind.KILL, NOON_MS, NOON_MS + 100);
    Kept first = waiting(0);
    Kept second = waiting(0);
    ordered("", 2_000);
    run.released(first, 38_000);
    run.released(second, 40_000);
    atWork(50);

    assertThat(violations()).singleElement().asString().contains("event 2 ");
  }

  @Test
  void aFaultAfterTheOrderWasReadIsNoExcuse() {
    run.notes().faults().lasted(FaultKind.KILL, NOON_MS + 9_000, NOON_MS + 9_100);
    Kept input = waiting(0);
    ordered("", 2_000);
    run.released(input, 12_000);
    atWork(12);

    assertThat(violations()).hasSize(1);
  }

  @Test
  void whileTheBrokerIsGoneAHiddenOrderStaysHidden() {
    run.notes().faults().lasted(FaultKind.KILL_BROKER, NOON_MS + 4_000, NOON_MS + 20_000);
    run.notes().revisions().brokerGone(NOON_MS + 4_000, NOON_MS + 20_000);
    Kept first = waiting(0);
    Kept second = waiting(0);
    ordered("", 2_000);
    run.released(first, 54_000);
    run.released(second, 58_000);
    atWork(60);

    assertThat(violations()).singleElement().asString().contains("event 2 ");
  }

  @Test
  void anOrderThatMayNotBePublishedDemandsNothingAndPermitsEverything() {
    Kept one = waiting(0);
    Kept other = waiting(0);
    run.notes().cancels().given(new CancelRequest(1, "ann", ""), NOON_MS);
    cancelled(one);
    run.released(other, 60_000);
    atWork(60);

    assertThat(violations()).isEmpty();
    assertThat(lost()).isEmpty();
  }

  @Test
  void anEventThatNoOrderNamesMustNotBeCancelled() {
    Kept named = waiting(0);
    ordered(named.event().id(), 2_000);
    cancelled(named);
    Kept other = waiting(0);
    cancelled(other);

    assertThat(lost())
        .singleElement()
        .asString()
        .contains("event 2 (parcel of ann", "was cancelled, though no order had named it");
  }

  @Test
  void anEventOfAnotherUserOrWithoutAQueueMustNotBeCancelled() {
    ordered("", 0);
    Kept bob = run.inputOf("bob", "home", PARCEL, 1);
    run.queued(bob, 0, 500);
    cancelled(bob);
    cancelled(run.inputOf("ann", "home", "post", 1));

    assertThat(lost()).hasSize(2);
  }
}
