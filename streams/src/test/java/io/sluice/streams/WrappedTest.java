package io.sluice.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.schemas.UserAction;
import io.sluice.schemas.UserActionCodec;
import java.time.Instant;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WrappedTest {
  private static final byte[] TEA = "tea".getBytes(UTF_8);

  @Test
  void anActionAndItsValueAreReadAsTheyWereWritten() throws Exception {
    Action action =
        Action.of("ada", "order")
            .withId("o-1")
            .at(Instant.ofEpochMilli(1_700_000_000_123L))
            .withCost(3)
            .withTarget("shop")
            .with("plan", "free");
    byte[] wrapped = Wrapped.of(action, 5, TEA);
    UserAction read = UserActionCodec.decode(Wrapped.action(wrapped));
    assertThat(read.getEventId()).isEqualTo("o-1");
    assertThat(read.getUserId()).isEqualTo("ada");
    assertThat(read.getAction()).isEqualTo("order");
    assertThat(read.getOccurredAt()).isEqualTo(Instant.ofEpochMilli(1_700_000_000_123L));
    assertThat(read.getCost()).isEqualTo(3);
    assertThat(read.getTarget()).hasValue("shop");
    assertThat(read.getAttributes()).containsEntry("plan", "free").hasSize(1);
    assertThat(Wrapped.value(wrapped)).isEqualTo(TEA);
  }

  @Test
  void anActionWithoutATimeIsOfTheRecords() throws Exception {
    byte[] wrapped = Wrapped.of(Action.of("ada", "order"), 1_700_000_000_456L, TEA);
    assertThat(UserActionCodec.decode(Wrapped.action(wrapped)).getOccurredAt())
        .isEqualTo(Instant.ofEpochMilli(1_700_000_000_456L));
  }

  @Test
  void noValueIsAnotherThanAnEmptyOne() {
    Action action = Action.of("ada", "order");
    assertThat(Wrapped.value(Wrapped.of(action, 5, null))).isNull();
    assertThat(Wrapped.value(Wrapped.of(action, 5, new byte[0]))).isEmpty();
  }

  @Test
  void whatIsNoActionSaysWhy() {
    UnreadableEventException why =
        new UnreadableEventException(FaultKind.INVALID_FIELD, "two\nlines");
    byte[] wrapped = Wrapped.faulty(why, TEA);
    assertThat(Wrapped.value(wrapped)).isEqualTo(TEA);
    assertThatThrownBy(() -> Wrapped.action(wrapped))
        .hasMessage("two\nlines")
        .asInstanceOf(type(UnreadableEventException.class))
        .extracting(UnreadableEventException::kind)
        .isEqualTo(FaultKind.INVALID_FIELD);
  }

  @Test
  void whatSomebodyElseWroteIsNoActionAndStaysAsItIs() {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      if (bytes.length > 1 && random.nextBoolean()) {
        bytes[0] = Wrapped.VERSION;
        bytes[1] = (byte) (4 + random.nextInt(100));
      }
      if (bytes.length == 0 || bytes[0] == Wrapped.VERSION && bytes.length > 1 && bytes[1] < 4) {
        continue; // may be in the format by chance
      }
      assertThatThrownBy(() -> Wrapped.action(bytes)).isInstanceOf(UnreadableEventException.class);
      assertThat(Wrapped.value(bytes)).isEqualTo(bytes);
    }
  }

  /**
   * Topics and changelogs of applications contain these bytes of 0.2.0, with the fingerprint of its
   * schema: every later release must read them.
   */
  @Test
  void theFormatStays() throws Exception {
    String golden = "010116" + "c3016926c3f39cbf600f" + "046f31066164610000020000" + "746561";
    Action action = Action.of("ada", "").withId("o1");
    assertThat(HexFormat.of().formatHex(Wrapped.of(action, 0, TEA))).isEqualTo(golden);
    byte[] stored = HexFormat.of().parseHex(golden);
    assertThat(Wrapped.value(stored)).isEqualTo(TEA);
    UserAction read = UserActionCodec.decode(Wrapped.action(stored));
    assertThat(read.getEventId() + " of " + read.getUserId()).isEqualTo("o1 of ada");
    byte[] faulty = Wrapped.faulty(new UnreadableEventException(FaultKind.EMPTY, "x"), null);
    assertThat(HexFormat.of().formatHex(faulty)).isEqualTo("0102" + "07" + "454d5054590a78");
  }
}
