package io.sluice.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceRecordTest {
  private static final byte[] KEY = "instance/i".getBytes(UTF_8);

  private static InstanceRecord read(String json) {
    return InstanceRecord.read(KEY, json.getBytes(UTF_8));
  }

  @Test
  void whatIsWrittenIsRead() {
    InstanceRecord one = new InstanceRecord("i", "d", Map.of("b", "2", "a", "1"), 7);
    assertThat(new String(one.json(), UTF_8))
        .isEqualTo(
            "{\"instance\":\"i\",\"digest\":\"d\",\"limits\":{\"a\":\"1\",\"b\":\"2\"},\"time\":7}");
    InstanceRecord read = InstanceRecord.read(one.key(), one.json());
    assertThat(read.id()).isEqualTo("i");
    assertThat(read.digest()).isEqualTo("d");
    assertThat(read.limits()).isEqualTo(one.limits());
  }

  @Test
  void aNewerOneMaySayMore() {
    InstanceRecord read =
        read("{\"more\":[{\"a\":1}],\"digest\":\"d\",\"limits\":{\"a\":\"1\",\"b\":{\"c\":2}}}");
    assertThat(read.limits()).containsExactly(Map.entry("a", "1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "null", "7", "{", "{\"digest\":", "{}", "{\"digest\":\"\"}", "\u0000", "[1]"})
  void whatIsNoneIsSaidInOneLine(String json) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .hasLineCount(1);
  }

  @Test
  void nestingWithoutEndIsRefusedAndSoAreManyBytes() {
    String deep = "{\"digest\":\"d\",\"x\":" + "[".repeat(500_000);
    assertThatThrownBy(() -> read(deep)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> read(" ".repeat(2_000_000)))
        .hasMessage("the value has 2000000 bytes: accepted are 1048576");
  }

  @Test
  void foreignTextsAreShortAndOfOneLine() {
    InstanceRecord read =
        read("{\"digest\":\"d\\nx\",\"limits\":{\"a\\r\":\"" + "w".repeat(9_000) + "\"}}");
    assertThat(read.digest()).isEqualTo("d x");
    assertThat(read.limits())
        .containsExactly(Map.entry("a ", "w".repeat(InstanceRecord.LONGEST_WORDS)));
  }

  @Test
  void onlyKeysThatBeginSoAreInstances() {
    assertThat(InstanceRecord.isKey(KEY)).isTrue();
    for (String other : new String[] {"", "instance", "instance/", "Instance/i", "x/instance/i"}) {
      assertThat(InstanceRecord.isKey(other.getBytes(UTF_8))).as(other).isFalse();
    }
    assertThat(InstanceRecord.isKey(null)).isFalse();
    String tooLong = "instance/" + "i".repeat(201);
    assertThat(InstanceRecord.isKey(tooLong.getBytes(UTF_8))).as("no revision either").isTrue();
  }
}
