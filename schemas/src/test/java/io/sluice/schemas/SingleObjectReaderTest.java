package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class SingleObjectReaderTest {
  private static final Schema OLDER =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "UserAction", "namespace": "io.sluice.schemas", "fields": [
                {"name": "eventId", "type": "string"}, {"name": "userId", "type": "string"},
                {"name": "action", "type": "string"}, {"name": "occurredAt", "type": "long"}]}""");

  private static final byte[] BY_AN_OLDER_WRITER =
      Bytes.singleObject(
          OLDER,
          Bytes.body(
              out -> {
                out.writeString("e");
                out.writeString("u");
                out.writeString("post");
                out.writeLong(7);
              }));

  @Test
  void findsAnOlderWriterByItsFingerprint() {
    SingleObjectReader reader = new SingleObjectReader(List.of(OLDER));

    assertThat(reader.decode(BY_AN_OLDER_WRITER, 0, BY_AN_OLDER_WRITER.length).getCost())
        .isEqualTo(1);
    assertThat(reader.view(BY_AN_OLDER_WRITER, 0, BY_AN_OLDER_WRITER.length).occurredAtMs())
        .isEqualTo(7);
  }

  @Test
  void knowsTodaysWriterWithoutBeingTold() {
    byte[] bytes = UserActionCodec.encode(new RandomActions(51).next());

    assertThat(new SingleObjectReader(List.of()).decode(bytes, 0, bytes.length))
        .isEqualTo(UserActionCodec.decode(bytes));
  }

  @Test
  void aWriterThatIsNotPublishedIsRefused() {
    assertThatThrownBy(() -> UserActionView.of(BY_AN_OLDER_WRITER))
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("unknown");
  }
}
