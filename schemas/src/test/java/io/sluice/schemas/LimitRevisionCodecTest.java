package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitRevisionCodecTest {
  private static final LimitRevision OVERRIDE =
      LimitRevision.newBuilder()
          .setId("5d1b")
          .setLimit("reply")
          .setFor$(Map.of("userId", "shop-7"))
          .setEffectiveAt(Instant.ofEpochMilli(1_700_000_000_000L))
          .setUntil(Instant.ofEpochMilli(1_700_600_000_000L))
          .setSet(Map.of("quota", "100/60s"))
          .setBy("ada")
          .build();

  /** {@link #OVERRIDE} as version 1 of the schema wrote it. Must never be changed. */
  private static final String OVERRIDE_OF_VERSION_1 =
      "c30136a3ae5c26fbebfd08356431620a7265706c79020c7573657249640c73686f702d37000280a0abfef9620280b8c5bafe62020a71756f7461020e3130302f363073000661646100";

  @Test
  void decodesWhatItEncoded() {
    Map<String, String> set = new HashMap<>();
    set.put("quota", "5/60s");
    set.put("burst", null);
    LimitRevision sparse = LimitRevision.newBuilder().setLimit("*").setSet(set).build();

    assertThat(LimitRevisionCodec.decode(LimitRevisionCodec.encode(OVERRIDE))).isEqualTo(OVERRIDE);
    assertThat(LimitRevisionCodec.decode(LimitRevisionCodec.encode(sparse))).isEqualTo(sparse);
  }

  @Test
  void writesAndReadsTheBytesOfVersionOne() {
    assertThat(HexFormat.of().formatHex(LimitRevisionCodec.encode(OVERRIDE)))
        .isEqualTo(OVERRIDE_OF_VERSION_1);
  }

  @Test
  void bytesThatAreNotExactlyOneRevisionAreRefusedInOneLine() {
    byte[] sound = LimitRevisionCodec.encode(OVERRIDE);
    byte[] longer = Arrays.copyOf(sound, sound.length + 1);
    byte[] other = sound.clone();
    other[5] ^= 1;

    for (int length = 0; length < sound.length; length++) {
      byte[] cut = Arrays.copyOf(sound, length);
      assertThatThrownBy(() -> LimitRevisionCodec.decode(cut))
          .isInstanceOf(UndecodableException.class)
          .hasMessageNotContaining("\n");
    }
    assertThatThrownBy(() -> LimitRevisionCodec.decode(longer))
        .isInstanceOf(UndecodableException.class);
    assertThatThrownBy(() -> LimitRevisionCodec.decode(other))
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("writer schema unknown");
  }
}
