package io.sluice.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LinesTest {
  private static final Runnable NOTHING = () -> {};

  private static Lines lines(String text) {
    return new Lines(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), NOTHING);
  }

  private static List<String> all(Lines lines) throws IOException {
    List<String> all = new ArrayList<>();
    while (lines.next()) all.add(new String(lines.bytes(), StandardCharsets.UTF_8));
    return all;
  }

  @Test
  void linesComeWithoutTheWhiteSpaceAroundThem() throws IOException {
    assertThat(all(lines("a\n b \r\n\n\t\nc"))).containsExactly("a", "b", "", "", "c");
    assertThat(all(lines(""))).isEmpty();
    assertThat(all(lines("\n"))).containsExactly("");
  }

  @Test
  void linesOfAnyLengthKeepTheirBytesAcrossTheBuffersEnd() throws IOException {
    SplittableRandom random = new SplittableRandom(8);
    List<String> written = new ArrayList<>();
    for (int i = 0; i < 200; i++) written.add("x".repeat(random.nextInt(3_000)));
    written.add("y".repeat((1 << 16) - 1)); // fills a buffer, with its line feed
    written.add("z".repeat(200_000));
    written.add("end");
    assertThat(all(lines(String.join("\n", written)))).isEqualTo(written);
  }

  @Test
  void aLineThatIsTooLongIsPassedOver() throws IOException {
    byte[] text = new byte[2 * Lines.LONGEST];
    Arrays.fill(text, (byte) 'x');
    text[Lines.LONGEST + 5] = '\n';
    text[text.length - 1] = '\n';
    Lines lines = new Lines(new ByteArrayInputStream(text), NOTHING);
    assertThat(lines.next()).isTrue();
    assertThat(lines.isTooLong()).isTrue();
    assertThat(lines.next()).isTrue();
    assertThat(lines.isTooLong()).isFalse();
    assertThat(lines.number()).isEqualTo(2);
    assertThat(lines.bytes()).hasSize(Lines.LONGEST - 7);
    assertThat(lines.next()).isFalse();
  }
}
