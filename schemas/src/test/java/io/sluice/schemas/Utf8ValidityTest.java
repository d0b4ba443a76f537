package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares with the JDK's decoder, which reports malformed bytes unless it is told to replace them.
 */
class Utf8ValidityTest {
  private static final int[] TRAILERS = {
    0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff
  };

  private final CharsetDecoder jdk = StandardCharsets.UTF_8.newDecoder();
  private final CharBuffer decoded = CharBuffer.allocate(100);
  private final List<String> misjudged = new ArrayList<>();

  @Test
  void judgesEverySequenceAsTheJdkDoes() {
    for (int first = 0; first < 256; first++) {
      for (int second = 0; second < 256; second++) {
        judge(new byte[] {(byte) first, (byte) second});
        for (int third : TRAILERS) {
          judge(new byte[] {(byte) first, (byte) second, (byte) third});
          for (int fourth : TRAILERS) {
            judge(new byte[] {(byte) first, (byte) second, (byte) third, (byte) fourth});
          }
        }
      }
    }
    assertThat(misjudged).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {31, 32})
  void judgesABadByteAnywhereInLongerText(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 100_000; i++) {
      byte[] text = new byte[random.nextInt(40)];
      Arrays.fill(text, (byte) 'a');
      if (text.length > 0 && random.nextInt(4) > 0) {
        text[random.nextInt(text.length)] = (byte) random.nextInt(256);
        text[random.nextInt(text.length)] = (byte) random.nextInt(256);
      }
      judge(text);
    }
    assertThat(misjudged).as("seed %d", seed).isEmpty();
  }

  @Test
  void looksAtNothingOutsideItsPart() {
    byte[] bytes = {(byte) 0xff, 'a', 'b', (byte) 0xff, (byte) 0xc3, (byte) 0xa9};

    assertThat(Utf8Validity.holds(bytes, 1, 3)).isTrue();
    assertThat(Utf8Validity.holds(bytes, 1, 4)).isFalse();
    assertThat(Utf8Validity.holds(bytes, 4, 6)).isTrue();
    assertThat(Utf8Validity.holds(bytes, 4, 5)).isFalse();
  }

  private void judge(byte[] text) {
    if (Utf8Validity.holds(text, 0, text.length) != jdkAccepts(text)) {
      misjudged.add(HexFormat.of().formatHex(text));
    }
  }

  private boolean jdkAccepts(byte[] text) {
    return !jdk.reset().decode(ByteBuffer.wrap(text), decoded.clear(), true).isError();
  }
}
