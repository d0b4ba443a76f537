package io.sluice.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WrappersProto;
import com.squareup.wire.schema.CoreLoader;
import com.squareup.wire.schema.ErrorCollector;
import com.squareup.wire.schema.Linker;
import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.ProtoFile;
import com.squareup.wire.schema.Schema;
import com.squareup.wire.schema.internal.SchemaEncoder;
import com.squareup.wire.schema.internal.parser.ProtoParser;
import io.sluice.events.EventSelectors.ValueRules;
import io.sluice.events.SchemaDefinition.Type;
import io.sluice.events.Selector.Alternative;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.schemas.PathStep;
import io.sluice.schemas.UndecodableException;
import io.sluice.schemas.Values;
import io.sluice.testing.ProtobufBytes;
import io.sluice.testing.TestScale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the reader of Protobuf with Protobuf's own, on random and on damaged messages. */
class ProtobufOracleTest {
  private static final String FILE =
      """
      syntax = "proto3";
      import "google/protobuf/timestamp.proto";
      import "google/protobuf/wrappers.proto";
      message All {
        enum Kind { NONE = 0; ONE = 1; TWO = 2; }
        int32 i32 = 1; int64 i64 = 2; uint32 u32 = 3; uint64 u64 = 4; sint32 s32 = 5;
        sint64 s64 = 6; fixed32 f32 = 7; fixed64 f64 = 8; sfixed32 sf32 = 9; sfixed64 sf64 = 10;
        float f = 11; double d = 12; bool b = 13; string s = 14; Kind k = 15;
        optional int32 oi = 16; optional string os = 17; optional Kind ok = 18;
        All in = 19; repeated All list = 20; repeated int32 ints = 21; repeated string texts = 22;
        map<string, int64> counts = 23; map<int32, All> alls = 24; repeated Kind kinds = 25;
        oneof one { string a = 26; int64 b2 = 27; All c = 28; bool e = 29; }
        google.protobuf.Timestamp at = 30; google.protobuf.Int64Value wrapped = 31;
        google.protobuf.StringValue text = 32; bytes raw = 33; repeated double doubles = 34;
      }
      """;
  private static final List<String> PATHS =
      List.of(
              "i32 i64 u32 u64 s32 s64 f32 f64 sf32 sf64 f d b s k oi os ok in.i32 in.k in.s in.in.i64",
              "list[0].i32 list[1].k list[2].in.s list[0].ints[1] ints[0] ints[1] ints[4] texts[0]",
              "texts[2] counts.x counts.y alls.\"1\".i32 alls.\"0\".in.s alls.\"2\".k kinds[0] kinds[2]",
              "a b2 c.i32 c.in.s e c.a c.b2 in.a in.b2 in.c.i32 at wrapped text in.at in.wrapped",
              "doubles[0] doubles[2] list[0].a list[0].b2 in.list[0].s in.counts.x c.ints[0] in.oi")
          .stream()
          .flatMap(line -> Arrays.stream(line.split(" ")))
          .toList();
  private static final String[] KEYS = {"x", "y", "z"};

  private final EventSelectors selectors = selectors();
  private final ProtobufSchema schema =
      ProtobufSchema.parse(SchemaDefinition.of(Type.PROTOBUF, FILE), selectors);
  private final Descriptor descriptor = descriptor();

  private static EventSelectors selectors() {
    Map<String, String> named = new LinkedHashMap<>();
    for (String path : PATHS) named.put(path.replaceAll("\\W", "_"), path);
    return EventSelectors.of(
        Map.of(Role.USER, "s", Role.ACTION, "s", Role.ATTRIBUTES, "", Role.TIME, "at"),
        named,
        ValueRules.DEFAULT);
  }

  private static Descriptor descriptor() {
    try {
      ErrorCollector errors = new ErrorCollector();
      ProtoFile file =
          ProtoFile.Companion.get(ProtoParser.Companion.parse(Location.get("all.proto"), FILE));
      Schema linked = new Linker(CoreLoader.INSTANCE, errors, true, true).link(List.of(file));
      errors.throwIfNonEmpty();
      byte[] encoded =
          new SchemaEncoder(linked).encode(linked.protoFile("all.proto")).toByteArray();
      FileDescriptor[] imports = {TimestampProto.getDescriptor(), WrappersProto.getDescriptor()};
      return FileDescriptor.buildFrom(FileDescriptorProto.parseFrom(encoded), imports)
          .findMessageTypeByName("All");
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static LongStream seeds() {
    return TestScale.seeds(3, 20);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void readsAsProtobufDoes(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < TestScale.of(2_000, 20_000); i++) {
      byte[] bytes = message(random, 3).toBytes();
      assertAlike(bytes, DynamicMessage.parseFrom(descriptor, bytes), "seed " + seed + ", " + i);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatProtobufAcceptsIsReadAlikeAndNothingElseThrows(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int accepted = 0;
    for (int i = 0; i < TestScale.of(4_000, 100_000); i++) {
      byte[] bytes = damaged(message(random, 2).toBytes(), random);
      String what = "seed " + seed + ", " + i;
      try {
        DynamicMessage message = DynamicMessage.parseFrom(descriptor, bytes);
        assertAlike(bytes, message, what);
        accepted++;
      } catch (InvalidProtocolBufferException e) {
        readOrRefused(bytes); // parts that are not wanted may be damaged
      } catch (UndecodableException e) {
        // Protobuf's reader for Java drops the upper half of long tags and lengths, and reads a
        // truth value from too many bytes; its readers for other languages refuse some of these.
        assertThat(e.getMessage())
            .as(what + "; " + hex(bytes))
            .matches(
                "(.*: )?(no Timestamp has|no field has the tag|\\d+ bytes announced|a number of"
                    + " more than 10 bytes).*");
      }
    }
    assertThat(accepted).as("seed " + seed).isPositive();
  }

  private void readOrRefused(byte[] bytes) {
    try {
      values(bytes);
    } catch (UndecodableException e) {
      assertThat(e.getMessage()).doesNotContain("\n");
    }
  }

  private static byte[] damaged(byte[] bytes, SplittableRandom random) {
    if (bytes.length == 0) return bytes;
    byte[] damaged =
        random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes.clone();
    for (int i = random.nextInt(1, 4); i > 0 && damaged.length > 0; i--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
    }
    return damaged;
  }

  private Values values(byte[] bytes) {
    byte[] value = new ProtobufBytes().raw(new byte[6]).raw(bytes).toBytes();
    try {
      return schema.read(FramedValue.ofPrefix(value, 4)).values();
    } catch (UnreadableEventException e) {
      throw new IllegalStateException(e);
    }
  }

  private void assertAlike(byte[] bytes, Message message, String what) {
    Values values = values(bytes);
    for (String path : PATHS) {
      EventSelectors.Bound bound = selectors.attributes().get(path.replaceAll("\\W", "_"));
      Alternative alternative = bound.selector().alternatives().get(0);
      Object expected = expected(message, alternative.path(), 0);
      Object read = values.get(bound.slot(0));
      boolean isZero = read != null && List.of("0", "").contains(read.toString());
      if (expected == null && isZero) continue; // a zero that is written out
      if (!String.valueOf(read).equals(String.valueOf(expected))) {
        fail("%s: %s is %s, not %s; %s", what, path, read, expected, hex(bytes));
      }
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns the value at a path by Protobuf's own reader; null if it is not there. */
  private static Object expected(Object at, List<PathStep> path, int step) {
    Message message = (Message) at;
    FieldDescriptor field = message.getDescriptorForType().findFieldByName(path.get(step).name());
    int next = step + 1;
    if (field.isMapField()) {
      String key = path.get(next).name();
      Object value = null;
      for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
        Message entry = (Message) message.getRepeatedField(field, i);
        FieldDescriptor keys = entry.getDescriptorForType().findFieldByNumber(1);
        FieldDescriptor values = entry.getDescriptorForType().findFieldByNumber(2);
        if (entry.getField(keys).toString().equals(key)) value = entry.getField(values);
      }
      if (value == null) return null;
      return next + 1 == path.size()
          ? scalar(field.getMessageType().findFieldByNumber(2), value)
          : expected(value, path, next + 1);
    }
    if (field.isRepeated()) {
      int index = path.get(next).index();
      if (index >= message.getRepeatedFieldCount(field)) return null;
      Object value = message.getRepeatedField(field, index);
      return next + 1 == path.size() ? scalar(field, value) : expected(value, path, next + 1);
    }
    if (field.hasPresence() && !message.hasField(field)) return null;
    Object value = message.getField(field);
    if (next < path.size()) return expected(value, path, next);
    Object scalar = scalar(field, value);
    boolean isZeroValue =
        field.getType() == FieldDescriptor.Type.BOOL
            || field.getType() == FieldDescriptor.Type.ENUM;
    boolean isLeftOut = !field.hasPresence() && !isZeroValue && !message.hasField(field);
    return isLeftOut ? null : scalar;
  }

  private static Object scalar(FieldDescriptor field, Object value) {
    return switch (field.getType()) {
      case UINT32, FIXED32 -> Integer.toUnsignedString((int) value);
      case UINT64, FIXED64 -> Long.toUnsignedString((long) value);
      case FLOAT, DOUBLE -> Values.number(value.toString());
      case ENUM -> {
        EnumValueDescriptor constant = (EnumValueDescriptor) value;
        boolean isKnown = constant.getNumber() >= 0 && constant.getNumber() <= 2;
        yield isKnown ? constant.getName() : constant.getNumber();
      }
      case MESSAGE -> {
        Message message = (Message) value;
        List<FieldDescriptor> fields = message.getDescriptorForType().getFields();
        Object first = message.getField(fields.get(0));
        yield fields.size() == 1
            ? first
            : (long) first * 1_000 + (int) message.getField(fields.get(1)) / 1_000_000;
      }
      default -> value;
    };
  }

  private static ProtobufBytes message(SplittableRandom random, int depth) {
    ProtobufBytes message = new ProtobufBytes();
    for (int i = random.nextInt(12); i > 0; i--) addField(message, random, depth);
    return message;
  }

  private static void addField(ProtobufBytes message, SplittableRandom random, int depth) {
    int field = random.nextInt(1, 40);
    long number = random.nextInt(3) == 0 ? random.nextLong() : random.nextInt(-3, 4);
    switch (field) {
      case 1, 2, 3, 4, 5, 6, 13, 15, 16, 18, 27, 29 -> message.number(field, number);
      case 21, 25 -> {
        if (random.nextBoolean()) message.number(field, number);
        else message.bytes(field, packed(random));
      }
      case 7, 9, 11 -> message.fixed32(field, (int) number);
      case 8, 10, 12, 34 -> message.fixed64(field, number);
      case 14, 17, 22, 26, 33 -> message.text(field, "é".repeat(random.nextInt(3)));
      case 19, 20, 28 -> {
        if (depth > 0) message.message(field, message(random, depth - 1));
      }
      case 23 -> message.message(field, entry(random).number(2, number));
      case 24 -> {
        ProtobufBytes entry = new ProtobufBytes();
        if (random.nextInt(4) > 0) entry.number(1, random.nextInt(3));
        if (depth > 0) entry.message(2, message(random, depth - 1));
        message.message(field, entry);
      }
      case 30 -> message.message(field, time(random));
      case 31 -> message.message(field, new ProtobufBytes().number(1, number));
      case 32 -> message.message(field, new ProtobufBytes().text(1, "t"));
      default -> unknown(message, field + 100, random);
    }
  }

  private static ProtobufBytes entry(SplittableRandom random) {
    return random.nextInt(5) == 0
        ? new ProtobufBytes()
        : new ProtobufBytes().text(1, KEYS[random.nextInt(KEYS.length)]);
  }

  private static byte[] packed(SplittableRandom random) {
    ProtobufBytes packed = new ProtobufBytes();
    IntStream.range(0, random.nextInt(4)).forEach(i -> packed.varint(random.nextInt(-2, 5)));
    return packed.toBytes();
  }

  private static ProtobufBytes time(SplittableRandom random) {
    ProtobufBytes time = new ProtobufBytes();
    if (random.nextInt(4) > 0) time.number(1, random.nextInt());
    if (random.nextInt(4) > 0) time.number(2, random.nextInt(1_000_000_000));
    return time;
  }

  private static void unknown(ProtobufBytes message, int field, SplittableRandom random) {
    List<Runnable> kinds = new ArrayList<>();
    kinds.add(() -> message.number(field, random.nextLong()));
    kinds.add(() -> message.text(field, "u"));
    kinds.add(() -> message.fixed32(field, 1));
    kinds.add(() -> message.fixed64(field, 1));
    kinds.add(() -> message.tag(field, 3).text(1, "in a group").tag(field, 4));
    kinds.add(() -> message.text(1, "of another wire type"));
    kinds.get(random.nextInt(kinds.size())).run();
  }
}
