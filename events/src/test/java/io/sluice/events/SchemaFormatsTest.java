package io.sluice.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.SchemaConfig.Login;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.testing.ProtobufBytes;
import io.sluice.testing.TestRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the formats of values that a registry names, and of the places of the schema id. */
class SchemaFormatsTest {
  private static final String CLICK =
      """
      {"type": "record", "name": "Click", "fields": [
        {"name": "userId", "type": "string"}, {"name": "action", "type": "string"}]}\
      """;
  private static final String PROTO =
      """
      syntax = "proto3";
      import "common/user.proto";
      message First { string other = 1; }
      message Click { string action = 1; common.User who = 2; string userId = 3; }
      """;
  private static final String USER =
      """
      syntax = "proto3"; package common; import "common/name.proto";
      message User { Name name = 1; }
      """;
  private static final String NAME =
      "syntax = \"proto3\"; package common; message Name { string first = 1; }";
  private static final byte[] AVRO = "\u0006ada\u0008post".getBytes(UTF_8);
  private static final byte[] JSON = "{\"userId\":\"ada\",\"action\":\"post\"}".getBytes(UTF_8);
  private static final UUID GUID = UUID.fromString("89791762-2336-4186-9674-299b90a802e2");

  private final Headers headers = new RecordHeaders();
  private TestRegistry registry;

  @BeforeEach
  void start() throws Exception {
    registry = new TestRegistry();
    registry.put(1, CLICK);
    registry.put(2, "JSON", "{\"type\": \"object\"}");
    registry.put(3, "PROTOBUF", PROTO, TestRegistry.reference("common/user.proto", "user"));
    registry.putSubject(
        "user", "PROTOBUF", USER, TestRegistry.reference("common/name.proto", "name"));
    registry.putSubject("name", "PROTOBUF", NAME);
  }

  @AfterEach
  void close() {
    registry.close();
  }

  private SchemaConfig config(int idBytes) {
    return new SchemaConfig(Map.of(), "", new Login(registry.url(), "", ""), idBytes);
  }

  private Event read(byte[] value) throws UnreadableEventException {
    return read(config(4), value);
  }

  private Event read(SchemaConfig config, byte[] value) throws UnreadableEventException {
    return EventDecoder.of(TopicSelectors.same(EventSelectors.DEFAULT), config, List.of("in"))
        .decode(new RawRecord(null, value, headers, Origin.parse("in-0-1"), 1_000));
  }

  private void refused(byte[] value, String why) {
    assertThatThrownBy(() -> read(value))
        .isInstanceOf(UnreadableEventException.class)
        .hasMessage(why);
  }

  private static byte[] framed(int id, byte... body) {
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(id).put(body).array();
  }

  private static ProtobufBytes click() {
    return new ProtobufBytes().text(3, "ada").text(1, "post");
  }

  private static byte[] indexed(byte[] indexes) {
    return new ProtobufBytes().raw(indexes).raw(click().toBytes()).toBytes();
  }

  @Test
  void theRegistrySaysTheFormat() throws Exception {
    for (byte[] value :
        List.of(framed(1, AVRO), framed(2, JSON), framed(3, indexed(new byte[] {2, 2})))) {
      Event event = read(value);
      assertThat(event.userId()).isEqualTo("ada");
      assertThat(event.action()).isEqualTo("post");
    }
    assertThat(read(framed(2, (" \n" + new String(JSON, UTF_8)).getBytes(UTF_8))).userId())
        .isEqualTo("ada");
    refused(framed(2, "[1]".getBytes(UTF_8)), "bad JSON of schema 2: not an object");
    refused(framed(2), "bad JSON of schema 2: not an object");
    refused(
        framed(3, indexed(new byte[] {0})),
        "bad Protobuf of schema 3: First has no field userId, which is the user");
    refused(framed(3), "bad Protobuf of schema 3: the bytes end inside a number");
  }

  @Test
  void importsAreReferences() throws Exception {
    EventSelectors selectors =
        EventSelectors.of(
            Map.of(Role.USER, "who.name.first"), Map.of(), EventSelectors.ValueRules.DEFAULT);
    ProtobufBytes name = new ProtobufBytes().text(1, "eve");
    byte[] body = click().message(2, new ProtobufBytes().message(1, name)).toBytes();
    byte[] value = framed(3, new ProtobufBytes().raw(new byte[] {2, 2}).raw(body).toBytes());

    assertThat(
            EventDecoder.of(TopicSelectors.same(selectors), config(4), List.of("in"))
                .decode(RawRecord.ofValue(value, Origin.parse("in-0-1"), 1_000))
                .userId())
        .isEqualTo("eve");
    assertThat(registry.requests)
        .containsExactly(
            "/schemas/ids/3", "/subjects/user/versions/1", "/subjects/name/versions/1");
  }

  @Test
  void confluentsHeaderHasTheIdAndTheIndexes() throws Exception {
    headers.add("__value_schema_id", framed(1));
    assertThat(read(AVRO).userId()).isEqualTo("ada");
    headers.add("__value_schema_id", framed(2));
    assertThat(read(JSON).userId()).isEqualTo("ada");
    headers.add("__value_schema_id", framed(3, (byte) 2, (byte) 2));
    assertThat(read(click().toBytes()).userId()).isEqualTo("ada");
    headers.add("__value_schema_id", framed(3, (byte) 0));
    refused(
        click().toBytes(),
        "bad Protobuf of schema 3: First has no field userId, which is the user");
  }

  private void addGuid(byte... behind) {
    headers.add(
        "__value_schema_id",
        ByteBuffer.allocate(17 + behind.length)
            .put((byte) 1)
            .putLong(GUID.getMostSignificantBits())
            .putLong(GUID.getLeastSignificantBits())
            .put(behind)
            .array());
  }

  @Test
  void confluentsHeaderMayHaveAGuid() throws Exception {
    addGuid();
    refused(JSON, "schema " + GUID + " is unknown to the schema registry at " + registry.url());
    registry.put(GUID, "JSON", "{}");
    assertThat(read(JSON).userId()).isEqualTo("ada");

    registry.put(GUID, "PROTOBUF", PROTO.replace("import", "//"));
    addGuid((byte) 2, (byte) 2);
    assertThat(read(click().toBytes()).userId()).isEqualTo("ada");
  }

  /** Any producer can send such an id, and so stop the application if it were taken for that. */
  @Test
  void aRegistryThatDoesNotKnowSuchIdsIsNoWrongUrl() throws Exception {
    addGuid();
    registry.refuse("/schemas/guids/" + GUID, 404, TestRegistry.error(404, "HTTP 404 Not Found"));
    String why = "the schema registry at " + registry.url() + " has no schemas with such ids: ";
    refused(JSON, why + GUID);

    headers.remove("__value_schema_id");
    headers.add("apicurio.value.contentId", longId(1L << 31));
    refused(AVRO, why + (1L << 31));
    registry.put(1L << 31, "AVRO", CLICK);
    assertThat(read(AVRO).userId()).isEqualTo("ada");
  }

  @Test
  void aWrongUrlIsOneForAnyId() {
    SchemaRegistry elsewhere =
        new SchemaRegistry(registry.url() + "/app", "", "", Duration.ofMinutes(1));
    for (SchemaId id : List.of(SchemaId.of(GUID), SchemaId.of(1L << 40), SchemaId.of(7))) {
      assertThatThrownBy(() -> elsewhere.schema(id))
          .isInstanceOfSatisfying(
              SchemasUnavailableException.class, e -> assertThat(e.isLasting()).isTrue());
    }
  }

  private static byte[] longId(long id) {
    return ByteBuffer.allocate(8).putLong(id).array();
  }

  @ParameterizedTest
  @ValueSource(strings = {"apicurio.value.contentId", "apicurio.value.globalId"})
  void apicuriosHeadersHaveTheId(String name) throws Exception {
    headers.add(name, longId(1));
    assertThat(read(AVRO).userId()).isEqualTo("ada");
    headers.add(name, longId(2));
    assertThat(read(JSON).userId()).isEqualTo("ada");

    headers.add(name, longId(3));
    refused(
        click().toBytes(),
        "bad Protobuf of schema 3: First has no field userId, which is the user");
    byte[] ref = new ProtobufBytes().text(1, "Click").toBytes();
    byte[] named = new ProtobufBytes().varint(ref.length).raw(ref).raw(click().toBytes()).toBytes();
    assertThat(read(named).userId()).isEqualTo("ada");
    headers.add("apicurio.protobuf.type", "Click".getBytes(UTF_8));
    assertThat(read(click().toBytes()).userId()).isEqualTo("ada");
    headers.add("apicurio.protobuf.type", "None".getBytes(UTF_8));
    refused(click().toBytes(), "bad Protobuf of schema 3: the schema has no message of that name");
  }

  @ParameterizedTest
  @CsvSource({
    "__value_schema_id, '', 'has no schema id: 5 or 17 bytes are needed, not 0'",
    "__value_schema_id, 00000001, 'has no schema id: 5 or 17 bytes are needed, not 4'",
    "__value_schema_id, 0200000001, 'has no schema id: 5 or 17 bytes are needed, not 5'",
    "__value_schema_id, 0100000001, 'has no schema id: 5 or 17 bytes are needed, not 5'",
    "apicurio.value.globalId, 00000001, 'has no schema id: 8 bytes are needed, not 4'",
  })
  void aMalformedHeaderIsNamed(String name, String hex, String why) {
    headers.add(name, HexFormat.of().parseHex(hex));
    refused(AVRO, "the header " + name + " " + why);
    assertThat(registry.requests).isEmpty();
  }

  @Test
  void anIdThatNoSchemaHasIsNotRequested() {
    headers.add("apicurio.value.globalId", longId(-1));
    refused(
        AVRO,
        "not in Confluent's format: no schema has the id 18446744073709551615, the highest is"
            + " 9223372036854775807");
    headers.add("__value_schema_id", framed(-1));
    refused(
        AVRO,
        "not in Confluent's format: no schema has the id 4294967295, the highest is 2147483647");
    headers.add("__value_schema_id", (byte[]) null);
    refused(AVRO, "the header __value_schema_id has no schema id: 5 or 17 bytes are needed, not 0");
    assertThat(registry.requests).isEmpty();
  }

  @Test
  void withoutASourceOfSchemasAHeaderSaysNothing() throws Exception {
    headers.add("__value_schema_id", framed(1));

    assertThat(read(SchemaConfig.NONE, JSON).userId()).isEqualTo("ada");
  }

  @Test
  void idsBeforeTheBodyMayHaveEightBytes() throws Exception {
    registry.put(1L << 40, "JSON", "{}");
    for (long id : new long[] {2, 1L << 40}) {
      byte[] value =
          ByteBuffer.allocate(9 + JSON.length).put((byte) 0).putLong(id).put(JSON).array();
      assertThat(read(config(8), value).userId()).isEqualTo("ada");
    }
    byte[] ref = new ProtobufBytes().text(1, "Click").toBytes();
    byte[] value =
        new ProtobufBytes()
            .raw((byte) 0)
            .raw(longId(3))
            .varint(ref.length)
            .raw(ref)
            .raw(click().toBytes())
            .toBytes();
    assertThat(read(config(8), value).userId()).isEqualTo("ada");
    assertThatThrownBy(() -> read(config(8), framed(1)))
        .hasMessage("too short for Confluent's format: 5 bytes of at least 9");
  }
}
