package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserActionCodecTest {
  private static final int ACTIONS = 300;

  private static final UserAction POST =
      new UserAction(
          "e-1",
          "ada",
          "post",
          Instant.ofEpochMilli(1_700_000_000_123L),
          2L,
          "bob",
          Map.of("k", "v"));

  /**
   * {@link #POST} as version 1 of the schema wrote it. Must never be changed: topics hold such
   * bytes.
   */
  private static final String POST_OF_VERSION_1 =
      "c3016926c3f39cbf600f06652d310661646108706f7374f6a1abfef962040206626f6202026b027600";

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void decodesWhatItEncoded(long seed) {
    RandomActions actions = new RandomActions(seed);
    for (int i = 0; i < ACTIONS; i++) {
      UserAction action = actions.next();
      assertThat(UserActionCodec.decode(UserActionCodec.encode(action)))
          .as("action %d of seed %d", i, seed)
          .isEqualTo(action);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 6})
  void understandsPlainAvroAndIsUnderstoodByIt(long seed) throws IOException {
    PlainAvro plainAvro = new PlainAvro();
    RandomActions actions = new RandomActions(seed);
    for (int i = 0; i < ACTIONS; i++) {
      UserAction action = actions.next();
      String which = "action %d of seed %d".formatted(i, seed);
      assertThat(UserActionCodec.decode(plainAvro.encode(action))).as(which).isEqualTo(action);
      assertThat(plainAvro.decode(UserActionCodec.encode(action))).as(which).isEqualTo(action);
    }
  }

  @Test
  void writesTheBytesOfVersionOne() {
    assertThat(HexFormat.of().formatHex(UserActionCodec.encode(POST))).isEqualTo(POST_OF_VERSION_1);
  }

  @Test
  void readsTheBytesOfVersionOne() {
    byte[] bytes = HexFormat.of().parseHex(POST_OF_VERSION_1);

    assertThat(UserActionCodec.decode(bytes)).isEqualTo(POST);
    assertThat(UserActionView.of(bytes).attribute("k")).contains("v");
  }

  @Test
  void theBuilderFillsInWhatIsOptional() {
    UserAction action =
        UserAction.newBuilder()
            .setEventId("e")
            .setUserId("u")
            .setAction("post")
            .setOccurredAt(Instant.EPOCH)
            .build();

    assertThat(action.getCost()).isEqualTo(1);
    assertThat(action.getTarget()).isEmpty();
    assertThat(action.getAttributes()).isEmpty();
  }

  @Test
  void theBuilderRefusesAnActionOfNobody() {
    UserAction.Builder nobodys =
        UserAction.newBuilder().setEventId("e").setAction("post").setOccurredAt(Instant.EPOCH);

    assertThatThrownBy(nobodys::build)
        .isInstanceOf(AvroRuntimeException.class)
        .hasMessageContaining("userId");
  }

  @Test
  void refusesToEncodeAnActionOfNobody() {
    UserAction nobodys = new UserAction("e", null, "post", Instant.EPOCH, 1L, null, Map.of());

    assertThatThrownBy(() -> UserActionCodec.encode(nobodys))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("userId");
  }
}
