package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that white space and byte order marks may precede the JSON of an event. */
class BlankBeforeJsonTest {
  private static final String JSON = "{\"userId\":\"ada\",\"action\":\"reply\"}";

  private static final Origin ORIGIN = Origin.of("user-actions", 0, 1);

  private final EventDecoder decoder =
      EventDecoder.of(
          TopicSelectors.same(EventSelectors.DEFAULT), SchemaConfig.NONE, List.of("user-actions"));

  private Event read(String text) throws UnreadableEventException {
    return decoder.decode(RawRecord.ofValue(text.getBytes(UTF_8), ORIGIN, 7));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n", "\r\n\t ", "\uFEFF", "\uFEFF \n", " \uFEFF"})
  void whatStandsBeforeTheObjectIsPassedOver(String before) throws Exception {
    assertThat(read(before + JSON).userId()).isEqualTo("ada");
    assertThat(read(before + JSON + " \n").action()).isEqualTo("reply");
  }

  @ParameterizedTest
  @ValueSource(strings = {" ", "\uFEFF", "\n\n", "\uFEFFx", " [", "x{"})
  void whatIsNoJsonBehindItIsOfNoKnownFormat(String text) {
    assertThatThrownBy(() -> read(text)).hasMessageContaining("unknown format");
  }

  @Test
  void halfAMarkIsNoMark() {
    byte[] half = {(byte) 0xEF, (byte) 0xBB};
    assertThatThrownBy(() -> decoder.decode(RawRecord.ofValue(half, ORIGIN, 7)))
        .hasMessageContaining("first byte is EF");
  }
}
