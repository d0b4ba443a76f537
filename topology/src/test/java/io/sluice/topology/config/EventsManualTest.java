package io.sluice.topology.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.events.Role;
import io.sluice.events.config.EventSettings;
import io.sluice.rules.settings.Setting;
import io.sluice.testing.ProtobufBytes;
import io.sluice.topology.Harness;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.message.BinaryMessageEncoder;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the examples in docs/events.md work as shown. */
class EventsManualTest {
  /** The order in the manual, in Avro's JSON encoding. */
  private static final String ORDER =
      """
      {"kind": "BUY", "at": %d, "customer": {"id": 42, "country": {"string": "nz"}}, "lines": [9.5]}"""
          .formatted(Harness.NOON_MS * 1_000);

  @TempDir private Path folder;
  private String manual;

  @BeforeEach
  void read() throws IOException {
    manual = Files.readString(Path.of("..", "docs", "events.md"));
    Files.writeString(folder.resolve("17.avsc"), block("avsc", 0));
  }

  private String block(String language, int which) {
    List<String> blocks =
        Pattern.compile("(?s)```" + language + "\n(.*?)```")
            .matcher(manual)
            .results()
            .map((MatchResult result) -> result.group(1))
            .toList();
    return blocks.get(which);
  }

  private Harness sluice() {
    Stream<String> lines = block("properties", 0).lines().filter(line -> !line.isBlank());
    String source = "sluice.schemas.folder=" + folder;
    return new Harness(Stream.concat(lines, Stream.of(source)).toArray(String[]::new));
  }

  @Test
  void ordersInJsonAndInBothFormsOfAvroAreCountedTogether() throws IOException {
    String json = block("json", 0).replaceAll("2026-11-21T09:00:00Z", "2026-06-01T12:00:00Z");
    try (Harness sluice = sluice()) {
      for (byte[] value : List.of(json.getBytes(UTF_8), confluent(17), singleObject())) {
        sluice.send(value, new RecordHeaders());
        assertThat(sluice.allowed())
            .singleElement()
            .satisfies(out -> assertThat(out.value()).isEqualTo(value))
            .satisfies(out -> assertThat(out.header("sluice-limit")).isEqualTo("purchases"));
      }
      sluice.send(confluent(17), new RecordHeaders());
      assertThat(sluice.rejected()).hasSize(1);
      sluice.send(json.replace("42", "43").getBytes(UTF_8), new RecordHeaders());
      assertThat(sluice.allowed()).as("another customer").hasSize(1);
      sluice.send(json.replace("nz", "au").getBytes(UTF_8), new RecordHeaders());
      assertThat(sluice.allowed()).as("another country").hasSize(1);
      sluice.send(json.replace("BUY", "SELL").getBytes(UTF_8), new RecordHeaders());
      assertThat(sluice.allowed()).as("another action").hasSize(1);
    }
  }

  @Test
  void ordersInProtobufAreCountedWithThoseInJson() throws IOException {
    Files.writeString(folder.resolve("19.proto"), block("proto", 0));
    ProtobufBytes customer = new ProtobufBytes().number(1, 42).text(2, "nz");
    ProtobufBytes at = new ProtobufBytes().number(1, Harness.NOON_MS / 1_000);
    ProtobufBytes buy = new ProtobufBytes().message(2, customer).message(4, at);
    byte[] value =
        ByteBuffer.allocate(6 + buy.toBytes().length)
            .put((byte) 0)
            .putInt(19)
            .put((byte) 0)
            .put(buy.toBytes())
            .array();
    String json = block("json", 0).replaceAll("2026-11-21T09:00:00Z", "2026-06-01T12:00:00Z");
    try (Harness sluice = sluice()) {
      sluice.send(json.getBytes(UTF_8), new RecordHeaders());
      for (int i = 0; i < 3; i++) sluice.send(value, new RecordHeaders());
      assertThat(sluice.allowed()).hasSize(3);
      assertThat(sluice.rejected())
          .singleElement()
          .satisfies(out -> assertThat(out.value()).isEqualTo(value))
          .satisfies(out -> assertThat(out.header("sluice-limit")).isEqualTo("purchases"));
    }
  }

  @Test
  void anIdThatNobodyKnowsIsADeadLetterThatNamesIt() throws IOException {
    try (Harness sluice = sluice()) {
      sluice.send(confluent(18), new RecordHeaders());
      assertThat(sluice.deadLetters().get(0).header("sluice-error"))
          .isEqualTo("schema 18 is unknown: sluice.schemas.folder has no 18.avsc, .proto or .json");
    }
    try (Harness without = new Harness()) {
      without.send(confluent(17), new RecordHeaders());
      assertThat(without.deadLetters().get(0).header("sluice-error"))
          .isEqualTo(
              "Confluent's format (schema 17) needs sluice.schemas.url or sluice.schemas.folder");
    }
  }

  @Test
  void everySettingIsThereWithItsDefault() {
    for (Role role : Role.values()) {
      Setting<String> setting = EventSettings.path(role);
      String text = setting.defaultText();
      String shown = text.isEmpty() ? "none" : "`" + text + "`";
      assertThat(manual).contains("| `" + setting.name + "` | " + shown + " |");
    }
    for (int source = 1; source <= 2; source++) {
      String[] line = block("properties", source).strip().split("=");
      assertThat(CommonSettings.definition().names()).contains(line[0]);
    }
  }

  private byte[] body(Schema schema) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<>(schema).write(order(schema), encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  private static Object order(Schema schema) throws IOException {
    return new GenericDatumReader<>(schema)
        .read(null, DecoderFactory.get().jsonDecoder(schema, ORDER));
  }

  private byte[] confluent(int id) throws IOException {
    byte[] body = body(schema());
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(id).put(body).array();
  }

  private byte[] singleObject() throws IOException {
    ByteBuffer encoded =
        new BinaryMessageEncoder<>(org.apache.avro.generic.GenericData.get(), schema())
            .encode(order(schema()));
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  private Schema schema() {
    return new Schema.Parser().parse(block("avsc", 0));
  }
}
