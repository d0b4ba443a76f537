package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.specific.SpecificData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ActionFileTest {
  /**
   * Schema with another order, without the default fields, with one more, and in another namespace.
   */
  private static final String REORDERED =
      """
      {"type": "record", "name": "UserAction", "namespace": "of.somebody", "fields": [
        {"name": "action", "type": "string"}, {"name": "more", "type": ["null", "double"]},
        {"name": "occurredAt", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "userId", "type": "string"}, {"name": "eventId", "type": "string"}]}
      """;

  static Stream<CodecFactory> codecs() {
    return Stream.of(CodecFactory.nullCodec(), CodecFactory.deflateCodec(6));
  }

  @ParameterizedTest
  @MethodSource("codecs")
  void actionsComeOutAsTheyWentIn(CodecFactory codec) throws IOException {
    RandomActions random = new RandomActions(5);
    List<UserAction> actions = Stream.generate(random::next).limit(300).toList();
    assertThat(read(file(codec, actions))).isEqualTo(actions);
  }

  @Test
  void fieldsMayBeInAnyOrderAndThoseWithADefaultMissing() throws IOException {
    Schema schema = new Schema.Parser().parse(REORDERED);
    GenericRecord record = new GenericData.Record(schema);
    record.put("eventId", "e");
    record.put("userId", "ann");
    record.put("action", "post");
    record.put("occurredAt", 5L);
    record.put("more", 1.5);
    UserAction read = read(file(schema, record)).get(0);
    assertThat(read.getEventId()).isEqualTo("e");
    assertThat(read.getUserId()).isEqualTo("ann");
    assertThat(read.getOccurredAt().toEpochMilli()).isEqualTo(5);
    assertThat(read.getCost()).isEqualTo(1);
    assertThat(read.getAttributes()).isEmpty();
  }

  @Test
  void recordsThatCanBeNoActionsAreRefused() throws IOException {
    Schema schema =
        new Schema.Parser()
            .parse(
                """
                {"type": "record", "name": "UserAction", "fields": [
                  {"name": "userId", "type": "string"}]}
                """);
    GenericRecord record = new GenericData.Record(schema);
    record.put("userId", "ann");
    byte[] file = file(schema, record);
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(UndecodableException.class)
        .hasMessageContaining("missing required field")
        .message()
        .hasLineCount(1);
  }

  @Test
  void whatItBeginsWithTellsIt() throws IOException {
    byte[] file = file(CodecFactory.nullCodec(), List.of());
    assertThat(ActionFile.isOne(Arrays.copyOf(file, ActionFile.MAGIC_BYTES))).isTrue();
    assertThat(ActionFile.isOne("{\"us".getBytes())).isFalse();
    assertThat(ActionFile.isOne(new byte[0])).isFalse();
    assertThat(read(file)).isEmpty();
  }

  /** Avro itself takes a truncated file for a complete one. */
  @ParameterizedTest
  @MethodSource("codecs")
  void aFileThatWasCutAnywhereIsRefused(CodecFactory codec) throws IOException {
    RandomActions random = new RandomActions(6);
    byte[] whole = file(codec, Stream.generate(random::next).limit(3).toList());
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      if (isHeader(cut, whole)) assertThat(read(cut)).isEmpty();
      else assertThatThrownBy(() -> read(cut)).isInstanceOf(UndecodableException.class);
    }
  }

  /** Whether the file is cut behind its header: a file without blocks ends with the same marker. */
  private static boolean isHeader(byte[] cut, byte[] whole) {
    int marker = 16;
    return cut.length > marker
        && Arrays.equals(
            cut, cut.length - marker, cut.length, whole, whole.length - marker, whole.length);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void damagedFilesAreRefusedAndNothingElse(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    RandomActions actions = new RandomActions(seed);
    byte[] sound = file(CodecFactory.nullCodec(), Stream.generate(actions::next).limit(5).toList());
    int refused = 0;
    for (int i = 0; i < 3_000; i++) {
      byte[] damaged = Arrays.copyOf(sound, random.nextInt(sound.length / 2, sound.length + 1));
      for (int j = random.nextInt(4); j > 0; j--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      try {
        read(damaged);
      } catch (UndecodableException | IOException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(1_000);
  }

  private static List<UserAction> read(byte[] file) throws IOException {
    List<UserAction> actions = new ArrayList<>();
    try (ActionFile reading = ActionFile.open(new ByteArrayInputStream(file))) {
      while (reading.hasNext()) actions.add(reading.next());
    }
    return actions;
  }

  @SuppressWarnings("unchecked") // the model knows only this class
  private static byte[] file(CodecFactory codec, List<UserAction> actions) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SpecificData model = new RecordModel<>(UserAction.class, UserAction.getClassSchema());
    try (DataFileWriter<UserAction> writer =
        new DataFileWriter<>(model.createDatumWriter(UserAction.getClassSchema()))) {
      writer.setCodec(codec).create(UserAction.getClassSchema(), out);
      for (UserAction action : actions) writer.append(action);
    }
    return out.toByteArray();
  }

  private static byte[] file(Schema schema, GenericRecord record) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.create(schema, out);
      writer.append(record);
    }
    return out.toByteArray();
  }
}
