package io.sluice.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.events.EventSelectors.ValueRules;
import io.sluice.events.SchemaDefinition.Import;
import io.sluice.events.SchemaDefinition.Type;
import io.sluice.events.SelectedEvent.InputTopic;
import io.sluice.rules.event.Event;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.FaultKind;
import io.sluice.testing.ProtobufBytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of events in Protobuf, whose bytes are written by hand. */
class ProtobufSchemaTest {
  private static final String ORDER =
      """
      syntax = "proto3";
      package shop;
      import "google/protobuf/timestamp.proto";
      import "google/protobuf/wrappers.proto";
      import "shop/money.proto";

      message Order {
        enum Kind { BUY = 0; SELL = 1; GIVE = 2; }
        message Line { string sku = 1; repeated string tags = 2; int32 pieces = 3; }
        message Customer { int64 id = 1; string e_mail = 2; Address home = 3; }
        message Address { string city = 1; Country country = 2; }
        enum Country { NZ = 0; AU = 1; }

        string user_id = 1;
        string action = 2;
        google.protobuf.Timestamp occurred_at = 3;
        int32 cost = 4;
        map<string, string> attributes = 5;
        Kind kind = 6;
        Customer customer = 7;
        repeated Line lines = 8;
        repeated sint32 sizes = 9;
        oneof payer { string company = 10; Customer person = 11; bool anonymous = 12; }
        optional int32 points = 13;
        google.protobuf.Int64Value bonus = 14;
        google.protobuf.StringValue coupon = 15;
        bytes seal = 16;
        .shop.pay.Money price = 17;
        map<int32, Customer> copies = 18;
        bool gift = 19;
        repeated string to = 20;
        string event_id = 21 [json_name = "id"];
      }

      message Other { string text = 1; message Inner { string user_id = 1; string action = 2; } }
      """;
  private static final String MONEY =
      """
      syntax = "proto2";
      package shop.pay;
      message Money {
        required int64 units = 1;
        optional Currency currency = 2 [default = EUR];
        enum Currency { NZD = 0; EUR = 1; }
      }
      """;
  private static final SchemaDefinition SCHEMA =
      new SchemaDefinition(Type.PROTOBUF, ORDER, List.of(new Import("shop/money.proto", MONEY)));

  private static ProtobufBytes order() {
    return new ProtobufBytes().text(1, "ada").text(2, "buy");
  }

  private static EventSelectors selectors(String... texts) {
    Map<Role, String> given = new EnumMap<>(Role.class);
    Map<String, String> named = new HashMap<>();
    for (String each : texts) {
      String[] parts = each.split("=", 2);
      boolean isRole = Arrays.stream(Role.values()).anyMatch(role -> role.label().equals(parts[0]));
      if (isRole) given.put(Role.valueOf(parts[0].toUpperCase(Locale.ROOT)), parts[1]);
      else named.put(parts[0], parts[1]);
    }
    return EventSelectors.of(given, named, ValueRules.DEFAULT);
  }

  private static Event read(EventSelectors selectors, ProtobufBytes message)
      throws UnreadableEventException {
    return read(selectors, new byte[] {0}, message);
  }

  private static Event read(EventSelectors selectors, byte[] indexes, ProtobufBytes message)
      throws UnreadableEventException {
    byte[] body = message.toBytes();
    byte[] value =
        ByteBuffer.allocate(5 + indexes.length + body.length)
            .put((byte) 0)
            .putInt(7)
            .put(indexes)
            .put(body)
            .array();
    Schemas schemas = new SchemaConfig.SchemaFiles(Map.of(7L, SCHEMA), selectors);
    return new TopicDecoder(selectors, schemas)
        .read(
            RawRecord.ofValue(value, Origin.parse("orders-0-17"), 5),
            value,
            new InputTopic("user-actions", ""));
  }

  private static String attribute(String selector, ProtobufBytes message)
      throws UnreadableEventException {
    return read(selectors("x=" + selector), message).attribute("x");
  }

  @Test
  void readsTheFieldsOfAnEventByTheirNamesInJsonAndInTheFile() throws Exception {
    ProtobufBytes message =
        order()
            .message(3, new ProtobufBytes().number(1, 1_790_000_000L).number(2, 5_999_999))
            .number(4, 3)
            .entry(5, "plan", "free")
            .text(21, "e-1");
    for (String user : List.of("userId", "user_id")) {
      Event event = read(selectors("user=" + user, "id=id"), message);
      assertThat(event.userId()).isEqualTo("ada");
      assertThat(event.action()).isEqualTo("buy");
      assertThat(event.occurredAtMs()).isEqualTo(1_790_000_000_005L);
      assertThat(event.cost()).isEqualTo(3);
      assertThat(event.attribute("plan")).isEqualTo("free");
      assertThat(event.attribute("other")).isEmpty();
      assertThat(event.eventId()).isEqualTo("e-1");
    }
    Event event = read(selectors("user=userId // x", "target=user_id", "id=event_id"), message);
    assertThat(List.of(event.userId(), event.target(), event.eventId()))
        .containsExactly("ada", "ada", "e-1");
  }

  @Test
  void aNumberOrTextThatIsNotThereIsMissing() throws Exception {
    Event event = read(EventSelectors.DEFAULT, order());

    assertThat(event.cost()).isEqualTo(1);
    assertThat(event.occurredAtMs()).isEqualTo(5);
    assertThat(event.eventId()).isEqualTo("orders-0-17");
    assertThat(read(EventSelectors.DEFAULT, new ProtobufBytes().text(2, "buy")).userId()).isEmpty();
    assertThat(attribute("points", order())).isEmpty();
    assertThat(attribute("points", order().number(13, 0))).isEqualTo("0");
    assertThat(attribute("customer.id", order())).isEmpty();
  }

  @Test
  void theZeroOfAnEnumAndOfATruthValueIsAValue() throws Exception {
    assertThat(read(selectors("action=kind"), order()).action()).isEqualTo("BUY");
    assertThat(read(selectors("action=kind"), order().number(6, 2)).action()).isEqualTo("GIVE");
    assertThat(read(selectors("action=kind"), order().number(6, 9)).action()).isEqualTo("9");
    assertThat(attribute("gift", order())).isEqualTo("false");
    assertThat(attribute("gift", order().number(19, 1))).isEqualTo("true");
    assertThat(attribute("anonymous", order())).isEmpty(); // a oneof has presence
    assertThat(attribute("customer.home.country", order())).isEmpty();
    ProtobufBytes home = new ProtobufBytes().message(3, new ProtobufBytes());
    assertThat(attribute("customer.home.country", order().message(7, home))).isEqualTo("NZ");
  }

  @Test
  void anUnknownConstantOfAClosedEnumIsNotThere() throws Exception {
    ProtobufBytes money = new ProtobufBytes().number(1, 5).number(2, 0);
    assertThat(attribute("price.currency", order().message(17, money))).isEqualTo("NZD");
    money.number(2, 7);
    assertThat(attribute("price.currency", order().message(17, money))).isEqualTo("NZD");
    assertThat(attribute("price.currency", order().message(17, new ProtobufBytes()))).isEmpty();
    assertThat(attribute("price.units", order().message(17, money))).isEqualTo("5");
  }

  @Test
  void theLastValueOfAFieldCountsAndPartsOfAMessageAreOne() throws Exception {
    ProtobufBytes message =
        order()
            .message(7, new ProtobufBytes().number(1, 1).text(2, "a@b"))
            .text(1, "bob")
            .message(7, new ProtobufBytes().number(1, 2))
            .message(3, new ProtobufBytes().number(1, 1_790_000_000L))
            .message(3, new ProtobufBytes().number(2, 7_000_000));
    Event event = read(selectors("target=customer.id", "mail=customer.eMail"), message);

    assertThat(event.userId()).isEqualTo("bob");
    assertThat(event.target()).isEqualTo("2");
    assertThat(event.attribute("mail")).isEqualTo("a@b");
    assertThat(event.occurredAtMs()).isEqualTo(1_790_000_000_007L);
  }

  @Test
  void ofAOneofTheLastMemberIsThere() throws Exception {
    ProtobufBytes person = new ProtobufBytes().number(1, 5);
    String both = "company // person.id // anonymous";
    assertThat(attribute(both, order().text(10, "acme"))).isEqualTo("acme");
    assertThat(attribute(both, order().text(10, "acme").message(11, person))).isEqualTo("5");
    assertThat(attribute(both, order().message(11, person).text(10, "acme"))).isEqualTo("acme");
    assertThat(attribute("person.id", order().message(11, person).number(12, 1))).isEmpty();
    ProtobufBytes again =
        order().message(11, person).number(12, 1).message(11, new ProtobufBytes().text(2, "x"));
    assertThat(attribute("person.id", again)).isEmpty();
    // Another wire type is not the field.
    assertThat(attribute("person.id", order().message(11, person).text(12, "x"))).isEqualTo("5");
  }

  @Test
  void listsMayBePackedOrNot() throws Exception {
    ProtobufBytes packed = order().bytes(9, new byte[] {2, 1, (byte) 0x80, 1}).zigzag(9, 7);
    assertThat(attribute("sizes[0]", packed)).isEqualTo("1");
    assertThat(attribute("sizes[1]", packed)).isEqualTo("-1");
    assertThat(attribute("sizes[2]", packed)).isEqualTo("64");
    assertThat(attribute("sizes[3]", packed)).isEqualTo("7");
    assertThat(attribute("sizes[4]", packed)).isEmpty();
    assertThat(read(selectors("cost=sizes | count"), packed).cost()).isEqualTo(4);
    assertThat(read(selectors("cost=to | count"), order().text(20, "a").text(20, "b")).cost())
        .isEqualTo(2);
    assertThat(read(selectors("cost=to | count"), order()).cost()).isEqualTo(1);
  }

  @Test
  void readsThroughListsAndMaps() throws Exception {
    ProtobufBytes first = new ProtobufBytes().text(1, "a").text(2, "t1").text(1, "b");
    ProtobufBytes second = new ProtobufBytes().text(2, "t2").text(2, "t3").text(1, "c");
    ProtobufBytes message = order().message(8, first).text(1, "ada").message(8, second);
    assertThat(attribute("lines[0].sku", message)).isEqualTo("b");
    assertThat(attribute("lines[1].tags[1]", message)).isEqualTo("t3");
    assertThat(attribute("lines[].sku | count", message)).isEqualTo("2");
    assertThat(attribute("lines[].tags[] | count", message)).isEqualTo("3");
    assertThat(attribute("lines[].pieces | count", message)).isEqualTo("0");

    ProtobufBytes seven =
        new ProtobufBytes().number(1, 7).message(2, new ProtobufBytes().number(1, 70));
    ProtobufBytes zero = new ProtobufBytes().message(2, new ProtobufBytes().number(1, 10));
    ProtobufBytes other = new ProtobufBytes().message(2, new ProtobufBytes().text(2, "m"));
    ProtobufBytes copies = order().message(18, seven).message(18, zero).message(18, other);
    assertThat(attribute("copies.\"7\".id", copies)).isEqualTo("70");
    assertThat(attribute("copies.\"0\".id", copies)).isEmpty(); // the last entry counts, whole
    assertThat(attribute("copies.\"0\".e_mail", copies)).isEqualTo("m");
    assertThat(attribute("copies | count", copies)).isEqualTo("2");
  }

  @Test
  void theLastEntryOfAMapCounts() throws Exception {
    ProtobufBytes message = order().entry(5, "plan", "free").entry(5, "plan", "paid");
    message.message(5, new ProtobufBytes().text(2, "x").text(1, "late"));
    message.message(5, new ProtobufBytes().text(1, "empty"));
    Event event = read(selectors("own=attributes.plan"), message);

    assertThat(event.attribute("plan")).isEqualTo("paid");
    assertThat(event.attribute("own")).isEqualTo("paid");
    assertThat(event.attribute("late")).isEqualTo("x");
    assertThat(event.attribute("empty")).isEmpty();
  }

  @Test
  void theFieldsOfAMessageMayBeTheAttributes() throws Exception {
    ProtobufBytes message =
        order()
            .number(4, 2)
            .message(14, new ProtobufBytes().number(1, 9))
            .message(7, new ProtobufBytes().number(1, 5).text(2, "a@b"));
    Event whole = read(selectors("attributes=."), message);
    assertThat(whole.attribute("cost")).isEqualTo("2");
    assertThat(whole.attribute("bonus")).isEqualTo("9");
    assertThat(whole.attribute("user_id")).isEqualTo("ada");
    assertThat(whole.attribute("userId")).isEqualTo("ada");
    assertThat(whole.attribute("kind")).isEqualTo("BUY");
    assertThat(whole.attribute("customer")).isEmpty();
    Event inner = read(selectors("attributes=customer"), message);
    assertThat(inner.attribute("eMail")).isEqualTo("a@b");
    assertThat(inner.attribute("cost")).isEmpty();
  }

  @Test
  void wrappersAreTheirContent() throws Exception {
    assertThat(attribute("bonus", order())).isEmpty();
    assertThat(attribute("bonus", order().message(14, new ProtobufBytes()))).isEqualTo("0");
    ProtobufBytes nine = new ProtobufBytes().number(1, 9);
    assertThat(attribute("bonus", order().message(14, nine))).isEqualTo("9");
    assertThat(attribute("bonus.value", order().message(14, nine))).isEqualTo("9");
    assertThat(read(selectors("cost=bonus"), order().message(14, nine)).cost()).isEqualTo(9);
    assertThat(attribute("coupon", order().message(15, new ProtobufBytes().text(1, "x"))))
        .isEqualTo("x");
  }

  @ParameterizedTest
  @CsvSource({
    "int32, 0, ffffffffffffffffff01, -1",
    "int32, 0, ffffffff0f, -1",
    "int64, 0, 05, 5",
    "int64, 0, ffffffffffffffffff01, -1",
    "int64, 0, ffffffffffffffffff7f, -1",
    "uint32, 0, ffffffff0f, 4294967295",
    "uint64, 0, ffffffffffffffffff01, 18446744073709551615",
    "sint32, 0, ffffffff0f, -2147483648",
    "sint64, 0, ffffffffffffffffff01, -9223372036854775808",
    "fixed32, 5, ffffffff, 4294967295",
    "sfixed32, 5, feffffff, -2",
    "fixed64, 1, ffffffffffffffff, 18446744073709551615",
    "sfixed64, 1, feffffffffffffff, -2",
    "float, 5, 0000c03f, 1.5",
    "float, 5, 00002842, 42",
    "float, 5, 0000c07f, NaN",
    "double, 1, 000000000000f83f, 1.5",
    "bool, 0, 02, true",
    "bool, 0, 00, false",
    "string, 2, 02c3a9, é",
    "string, 2, 00, ''",
    "int32, 2, 0105, ''",
    "double, 5, 0000c03f, ''",
  })
  void readsEachTypeByItsWireType(String type, int wireType, String hex, String text)
      throws Exception {
    String file =
        "syntax = \"proto3\"; message E { string userId = 1; string action = 2; %s v = 900; }"
            .formatted(type);
    SchemaDefinition definition = SchemaDefinition.of(Type.PROTOBUF, file);
    EventSelectors selectors = selectors("y=v");
    byte[] body = order().tag(900, wireType).raw(HexFormat.of().parseHex(hex)).toBytes();
    byte[] value =
        ByteBuffer.allocate(6 + body.length)
            .putInt(0)
            .put((byte) 7)
            .put((byte) 0)
            .put(body)
            .array();
    Schemas schemas = new SchemaConfig.SchemaFiles(Map.of(7L, definition), selectors);
    Event event =
        new TopicDecoder(selectors, schemas)
            .read(
                RawRecord.ofValue(value, Origin.parse("in-0-1"), 5),
                value,
                new InputTopic("user-actions", ""));
    assertThat(event.attribute("y")).isEqualTo(text);
  }

  @Test
  void unknownFieldsAndGroupsAreSkipped() throws Exception {
    ProtobufBytes group =
        new ProtobufBytes()
            .tag(100, 3)
            .text(1, "eve")
            .tag(101, 3)
            .fixed64(1, 5)
            .tag(101, 4)
            .tag(100, 4)
            .text(500, "x")
            .fixed32(501, 1)
            .fixed64(502, 1)
            .number(503, -1);
    ProtobufBytes message = new ProtobufBytes().raw(group.toBytes()).raw(order().toBytes());
    message.raw(group.toBytes());

    assertThat(read(EventSelectors.DEFAULT, message).userId()).isEqualTo("ada");
  }

  private static void refused(ProtobufBytes message, String why) {
    assertThatThrownBy(() -> read(EventSelectors.DEFAULT, message))
        .isInstanceOfSatisfying(
            UnreadableEventException.class,
            e -> assertThat(e.kind()).isEqualTo(FaultKind.UNDECODABLE))
        .hasMessage("bad Protobuf of schema 7: " + why);
  }

  @Test
  void damagedBytesAreRefused() {
    refused(order().bytes(1, new byte[] {(byte) 0xc3}), "userId: not valid UTF-8");
    refused(
        order().bytes(1, new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}),
        "userId: not valid UTF-8");
    refused(order().raw((byte) 0x80), "the bytes end inside a number");
    refused(order().tag(4, 0).varint(-1).raw((byte) 0xff), "the bytes end inside a number");
    refused(
        order().raw(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0}),
        "a number of more than 10 bytes");
    refused(order().tag(1, 2).varint(100), "userId: 100 bytes announced, 0 left");
    refused(order().tag(900, 2).varint(-1), "18446744073709551615 bytes announced, 0 left");
    refused(order().varint(2), "no field has the tag 2");
    refused(order().varint(1L << 33), "no field has the tag 8589934592");
    refused(order().tag(5, 7), "field 5 has the wire type 7");
    refused(order().tag(5, 4), "field 5 has the wire type 4");
    refused(order().tag(900, 3), "the bytes end inside a number");
    refused(order().tag(900, 3).tag(901, 4), "the end of group 901 has no begin");
    refused(order().tag(900, 1).raw((byte) 1), "the bytes end inside a number");
    ProtobufBytes deep = order();
    for (int i = 0; i < 100_000; i++) deep.tag(900, 3);
    refused(deep, "groups nested more than 100 deep");
    refused(
        order().message(3, new ProtobufBytes().number(1, 253_402_300_800L)),
        "no Timestamp has 253402300800 seconds and 0 nanos");
    refused(
        order().message(3, new ProtobufBytes().number(2, -1)),
        "no Timestamp has 0 seconds and -1 nanos");
  }

  /** Each message has about a megabyte, the largest that a broker accepts by default. */
  @Test
  @Timeout(30)
  void timeAndMemoryAreBoundedByTheSize() throws Exception {
    byte[] home = new ProtobufBytes().message(3, new ProtobufBytes().message(3, order())).toBytes();
    ProtobufBytes parts = order();
    ProtobufBytes elements = order();
    ProtobufBytes entries = order();
    for (int i = 0; i < 100_000; i++) {
      parts.bytes(7, home);
      elements.message(8, new ProtobufBytes().message(2, new ProtobufBytes()));
      entries.entry(5, Integer.toString(i), "x");
    }
    ProtobufBytes packed = order().bytes(9, new byte[1_000_000]);

    assertThat(attribute("customer.home.city // kind", parts)).isEqualTo("BUY");
    assertThat(attribute("lines[].tags[] | count", elements)).isEqualTo("100000");
    assertThat(attribute("attributes.\"99999\"", entries)).isEqualTo("x");
    assertThat(attribute("sizes | count", packed)).isEqualTo("1000000");
  }

  @Test
  void messageIndexesNameTheType() throws Exception {
    EventSelectors selectors = EventSelectors.DEFAULT;
    ProtobufBytes inner = order();
    assertThat(read(selectors, new byte[] {2, 0}, inner).userId()).isEqualTo("ada");
    assertThat(read(selectors, new byte[] {4, 2, 0}, inner).userId()).isEqualTo("ada");
    assertThatThrownBy(() -> read(selectors, new byte[] {2, 2}, inner))
        .hasMessage("bad Protobuf of schema 7: shop.Other has no field userId, which is the user");
    for (byte[] wrong : new byte[][] {{2, 4}, {2, 1}, {4, 0, 10}, {8, 2, 0, 0, 0}}) {
      assertThatThrownBy(() -> read(selectors, wrong, inner))
          .hasMessage("bad Protobuf of schema 7: no message has these indexes");
    }
    assertThatThrownBy(() -> read(selectors, new byte[] {1}, inner))
        .hasMessage("bad Protobuf of schema 7: -1 message indexes");
    assertThatThrownBy(() -> read(selectors, new byte[] {-128}, new ProtobufBytes()))
        .hasMessage("bad Protobuf of schema 7: the bytes end inside a number");
  }

  @Test
  void apicurioNamesTheTypeBeforeTheBody() throws Exception {
    byte[] ref = new ProtobufBytes().text(1, "Order").toBytes();
    byte[] delimited = new ProtobufBytes().varint(ref.length).raw(ref).toBytes();
    assertThat(read(EventSelectors.DEFAULT, delimited, order()).userId()).isEqualTo("ada");

    byte[] other = new ProtobufBytes().text(1, "Other").toBytes();
    byte[] unfit = new ProtobufBytes().varint(other.length).raw(other).toBytes();
    assertThatThrownBy(() -> read(EventSelectors.DEFAULT, unfit, order()))
        .hasMessageContaining("shop.Other has no field userId");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user=seal | seal is of type bytes; accepted is",
        "user=customer | customer is of type shop.Order.Customer; accepted is a string, a number, a boolean, an enum or a uuid",
        "user=to | to is of type repeated string; accepted is",
        "user=attributes | attributes is of type map; accepted is",
        "cost=kind | kind is of type enum; accepted is a number or a string with a whole number",
        "time=gift | gift is of type bool; accepted is a time",
        "cost=occurred_at | occurred_at is of type google.protobuf.Timestamp; accepted is a number",
        "attributes=lines | lines is of type repeated Line; accepted is a map or a message",
        "attributes=userId | userId is of type string; accepted is a map or a message",
        "user=customer.none | shop.Order has no field customer.none, which is the user",
      })
  void aFieldOfAnUnfitTypeIsRefusedAtOnce(String selector, String why) {
    SchemaDefinition orders =
        new SchemaDefinition(
            Type.PROTOBUF, ORDER.substring(0, ORDER.indexOf("message Other")), SCHEMA.imports());
    assertThatThrownBy(() -> ProtobufSchema.parse(orders, selectors(selector)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(why);
  }

  @Test
  void bytesAreNoValue() {
    assertThatThrownBy(() -> read(selectors("x=seal | trim"), order().text(16, "x")))
        .isInstanceOfSatisfying(
            UnreadableEventException.class,
            e -> assertThat(e.kind()).isEqualTo(FaultKind.INVALID_FIELD))
        .hasMessage("seal | trim is of type bytes");
  }

  @Test
  void bytesThatNoSelectorChoosesAreNoFault() throws Exception {
    ProtobufBytes sealed = order().text(16, "x");
    assertThat(attribute("userId // seal", sealed)).isEqualTo("ada");
    assertThat(attribute("seal // userId", order())).isEqualTo("ada");
    assertThatThrownBy(() -> attribute("seal // userId", sealed))
        .hasMessage("seal // userId is of type bytes");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"oops", "", "syntax = \"proto3\"; message A { string a = 1; int32 b = 1; }"})
  void whatIsNoProtobufFileIsRefused(String text) {
    SchemaDefinition definition = SchemaDefinition.of(Type.PROTOBUF, text);
    assertThatThrownBy(() -> ProtobufSchema.parse(definition, EventSelectors.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .startsWith("not a Protobuf schema: ")
        .doesNotContain("\n");
  }

  @Test
  void whatNoPathNeedsMayBeUndefined() {
    String file =
        """
        syntax = "proto3"; import "google/type/money.proto"; import "buf/validate/validate.proto";
        message E {
          string userId = 1 [(buf.validate.field).string.min_len = 1]; string action = 2;
          google.type.Money price = 3; }
        """;
    SchemaDefinition definition = SchemaDefinition.of(Type.PROTOBUF, file);

    assertThat(ProtobufSchema.parse(definition, EventSelectors.DEFAULT)).isNotNull();
    assertThatThrownBy(() -> ProtobufSchema.parse(definition, selectors("cost=price.units")))
        .hasMessage("price is of type google.type.Money, which no file defines");
  }
}
