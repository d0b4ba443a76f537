package io.sluice.guarantees.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class QueueRanksTest {
  private static Described event(String priority) {
    return new Described(1, "text", "ann", "vendor0", "e1", 0, 0, 1, Described.Kind.EVENT)
        .of(priority, "t1");
  }

  @Test
  void aValueThatIsNoClassIsInTheClassOfAllOthers() {
    assertThat(QueueRanks.rank(event("otp"))).isZero();
    assertThat(QueueRanks.rank(event("transactional"))).isEqualTo(1);
    assertThat(QueueRanks.rank(event("OTP"))).isEqualTo(2);
    assertThat(QueueRanks.rank(event(""))).isEqualTo(2);
    assertThat(QueueRanks.rank(event("marketing"))).isEqualTo(3);
  }

  @Test
  void aClassRisesByOneWithEachIntervalUpToTheHighest() {
    assertThat(QueueRanks.rank(event("marketing"), -1)).isEqualTo(3);
    assertThat(QueueRanks.rank(event("marketing"), QueueRanks.AGING_MS - 1)).isEqualTo(3);
    assertThat(QueueRanks.rank(event("marketing"), QueueRanks.AGING_MS)).isEqualTo(2);
    assertThat(QueueRanks.rank(event("marketing"), 9 * QueueRanks.AGING_MS)).isZero();
  }

  @Test
  void theSettingsAreThoseOfTheManual() {
    assertThat(QueueRanks.settings())
        .containsExactly(
            "sluice.queue.priority=attributes.class",
            "sluice.queue.priorities=otp,transactional,*,marketing",
            "sluice.queue.aging=20000ms",
            "sluice.queue.fair=attributes.tenant",
            "sluice.queue.weight.t1=3");
  }

  @Test
  void theDescriptionOfARecordHasClassAndTenant() {
    RecordHeaders headers = new RecordHeaders();
    headers.add(Described.HEADER, event("otp").toBytes());

    assertThat(Described.in(headers)).contains(event("otp"));
  }
}
