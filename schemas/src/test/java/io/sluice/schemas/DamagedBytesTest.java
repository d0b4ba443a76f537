package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that any bytes are either an action, the same to both readers, or refused. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DamagedBytesTest {
  /**
   * Whether to run at full size, in .ci/full: every change of every byte, and five times as many
   * random bodies.
   */
  private static final boolean FULL = "full".equals(System.getProperty("sluice.test.scale"));

  /** Three empty strings at the beginning of a body, in hex. */
  private static final String EMPTY_STRINGS = "00 00 00";

  @ParameterizedTest
  @ValueSource(longs = {21, 22})
  void aTruncatedActionIsRefused(long seed) {
    RandomActions actions = new RandomActions(seed);
    for (int i = 0; i < 30; i++) {
      byte[] bytes = UserActionCodec.encode(actions.next());
      for (int length = 0; length < bytes.length; length++) {
        assertThat(read(Arrays.copyOf(bytes, length)))
            .as("%d bytes of action %d of seed %d", length, i, seed)
            .isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {23, 24})
  void aChangedByteMakesAnotherActionOrNone(long seed) {
    RandomActions actions = new RandomActions(seed);
    for (int i = 0; i < 20; i++) {
      byte[] bytes = UserActionCodec.encode(actions.nextShorterThan(150));
      for (int at = 0; at < bytes.length; at++) {
        byte original = bytes[at];
        for (int change = 1; change < 256; change += FULL ? 1 : 7) {
          bytes[at] = (byte) (original ^ change);
          assertReadAlike(bytes, "action %d of seed %d, byte %d".formatted(i, seed, at));
        }
        bytes[at] = original;
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {25, 26})
  void anyBytesMakeAnActionOrNone(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int actions = 0;
    for (int i = 0; i < (FULL ? 200_000 : 40_000); i++) {
      byte[] body = new byte[random.nextInt(7, 30)];
      for (int at = 0; at < body.length; at++) {
        body[at] = (byte) (random.nextInt(8) == 0 ? random.nextInt(256) : random.nextInt(5));
      }
      if (assertReadAlike(Bytes.singleObject(body), "body %d of seed %d".formatted(i, seed))) {
        actions++;
      }
    }
    assertThat(actions).as("readable bodies of seed %d", seed).isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          02                                   | eventId: 1 bytes announced, 0 left
          ''                                   | eventId: the bytes end inside a number
          80                                   | eventId: the bytes end inside a number
          01                                   | eventId: -1 bytes announced, 0 left
          FE FF FF FF FF FF FF FF FF 01        | eventId: 9223372036854775807 bytes announced, 0 left
          FE FF FF FF 0F                       | eventId: 2147483647 bytes announced, 0 left
          80 80 80 80 80 80 80 80 80 80 00     | eventId: a number of more than 64 bits
          80 80 80 80 80 80 80 80 80 02        | eventId: a number of more than 64 bits
          02 FF                                | eventId: not valid UTF-8
          00 04 C3 28                          | userId: not valid UTF-8
          00 00 06 ED A0 80                    | action: not valid UTF-8
          00 00 00 00 02 04                    | target: index 2 in a union or enum with 2 choices
          00 00 00 00 02 01                    | target: index -1 in a union or enum with 2 choices
          00 00 00 00 02 02 02                 | target: 1 bytes announced, 0 left
          00 00 00 00 02 00 02                 | attributes: the bytes end inside a number
          00 00 00 00 02 00 02 02 6B 02 FF 00  | attributes: not valid UTF-8
          00 00 00 00 02 00 02 02 FF 02 6B 00  | attributes: not valid UTF-8
          00 00 00 00 02 00 FE FF FF FF 0F     | attributes: 2147483647 items announced, 0 bytes left
          00 00 00 00 02 00 01 FE FF FF FF 0F  | attributes: 2147483647 bytes announced, 0 left
          00 00 00 00 02 00 01 06 00 00 00     | attributes: a block is not of the size it announces
          00 00 00 00 02 00 01 01              | attributes: -1 bytes announced, 0 left
          00 00 00 00 02 00 FF FF FF FF FF FF FF FF FF 01 00 | attributes: 9223372036854775808 items announced, 0 bytes left
          00 00 00 00 02 00 00 00              | 1 bytes after the end of the record
          """)
  void aRefusalSaysInOneLineWhatIsWrong(String body, String message) {
    byte[] bytes = Bytes.singleObject(hex(body));

    assertRefused(bytes, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                            | too short for single-object encoding: 0 bytes of at least 10
          C3 01 00 00 00 00 00 00 00    | too short for single-object encoding: 9 bytes of at least 10
          7B 22 00 00 00 00 00 00 00 00 | not single-object encoding: begins with 7b 22, not c3 01
          C3 02 00 00 00 00 00 00 00 00 | not single-object encoding: begins with c3 02, not c3 01
          C3 01 08 07 06 05 04 03 02 F1 | writer schema unknown: no published one has fingerprint f102030405060708
          """)
  void aRefusalSaysWhatIsWrongWithTheHeader(String bytes, String message) {
    assertRefused(hex(bytes), message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FE FF FF FF 0F",
        "FE FF FF FF FF FF FF FF FF 01",
        EMPTY_STRINGS + "00 02 00 FE FF FF FF 0F 02 6B 02 76",
        EMPTY_STRINGS + "00 02 00 FE FF FF FF FF FF FF FF FF 01 02 6B 02 76",
        EMPTY_STRINGS + "00 02 00 FF FF FF FF 0F 08 02 6B 02 76",
      })
  void aHostileLengthAllocatesNothing(String body) {
    byte[] bytes = Bytes.singleObject(hex(body));
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assertThat(read(bytes)).isEmpty();

    long before = thread.getCurrentThreadAllocatedBytes();
    read(bytes);
    assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
  }

  @Test
  void aMegabyteOfBlocksOfOneEntryIsReadInNoTime() {
    byte[] bytes =
        Bytes.singleObject(
            Bytes.bodyWithAttributes(
                out -> {
                  for (int i = 0; i < 350_000; i++) {
                    out.writeFixed(hex("02 00 00"));
                  }
                  out.writeFixed(hex("00"));
                }));

    assertThat(read(bytes)).isPresent();
    assertThat(UserActionView.of(bytes).attribute("")).contains("");
  }

  private static void assertRefused(byte[] bytes, String message) {
    assertThatThrownBy(() -> UserActionView.of(bytes))
        .isInstanceOf(UndecodableException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> UserActionCodec.decode(bytes))
        .isInstanceOf(UndecodableException.class)
        .hasMessage(message);
  }

  /** Checks that both readers agree, and returns whether the bytes are an action. */
  private static boolean assertReadAlike(byte[] bytes, String which) {
    Optional<UserAction> decoded = read(bytes);
    Optional<UserActionView> viewed = orRefused(() -> UserActionView.of(bytes));
    if (decoded.isPresent() != viewed.isPresent()) {
      fail(
          "%s, %s: decoded %s, viewed %s", which, HexFormat.of().formatHex(bytes), decoded, viewed);
    }
    if (decoded.isPresent() && !alike(viewed.get(), decoded.get())) {
      fail("%s, %s: not viewed as %s", which, HexFormat.of().formatHex(bytes), decoded.get());
    }
    return decoded.isPresent();
  }

  private static boolean alike(UserActionView view, UserAction action) {
    return view.eventId().equals(action.getEventId())
        && view.userId().equals(action.getUserId())
        && view.action().equals(action.getAction())
        && view.occurredAtMs() == action.getOccurredAt().toEpochMilli()
        && view.cost() == action.getCost()
        && view.hasTarget() == action.getTarget().isPresent()
        && view.target().equals(action.getTarget().orElse(""))
        && action.getAttributes().entrySet().stream()
            .allMatch(
                entry -> view.attribute(entry.getKey()).equals(Optional.of(entry.getValue())));
  }

  private static Optional<UserAction> read(byte[] bytes) {
    return orRefused(() -> UserActionCodec.decode(bytes));
  }

  /** Returns empty if the bytes are refused. Other exceptions pass through, and fail the test. */
  private static <T> Optional<T> orRefused(Supplier<T> reading) {
    try {
      return Optional.of(reading.get());
    } catch (UndecodableException e) {
      assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
      return Optional.empty();
    }
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }
}
