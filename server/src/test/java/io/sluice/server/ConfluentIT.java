package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.ProtobufBytes;
import io.sluice.testing.Servers;
import io.sluice.testing.SettingLines;
import io.sluice.testing.TestRegistry;
import io.sluice.topology.config.SluiceConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of custom records in Confluent's format, with a real broker and a real HTTP server. */
class ConfluentIT {
  private static final Schema ORDER =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "OrderPlaced", "namespace": "shop", "fields": [
                {"name": "lines", "type": {"type": "array", "items": "double"}},
                {"name": "customer", "type": ["null", {"type": "record", "name": "Customer", "fields": [
                  {"name": "id", "type": "long"}, {"name": "country", "type": "string"}]}]},
                {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["BUY", "SELL"]}},
                {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}}]}\
              """);
  private static final String ORDER_PROTO =
      """
      syntax = "proto3";
      package shop;
      import "google/protobuf/timestamp.proto";
      import "shop/customer.proto";
      message OrderPlaced {
        enum Kind { BUY = 0; SELL = 1; }
        repeated double lines = 1;
        Customer customer = 2;
        Kind kind = 3;
        google.protobuf.Timestamp at = 4;
      }
      """;
  private static final String CUSTOMER_PROTO =
      """
      syntax = "proto3";
      package shop;
      message Customer { int64 id = 1; string country = 2; }
      """;
  private static final String[] SETTINGS = {
    "sluice.limits=buys",
    "sluice.limit.buys.match.action=BUY",
    "sluice.limit.buys.match.attributes.country=nz",
    "sluice.limit.buys.quota=3/60s",
    "sluice.limit.buys.algorithm=sliding-window-log",
    "sluice.event.user=customer.id",
    "sluice.event.action=kind",
    "sluice.event.time=at",
    "sluice.event.attributes=customer",
    "sluice.schemas.user=ann",
    "sluice.schemas.password=s3cret",
    "num.stream.threads=2"
  };

  private final Servers servers = Servers.shared();

  static Stream<String> backends() {
    return Servers.variants("state-store", "redis");
  }

  @ParameterizedTest
  @MethodSource("backends")
  void countsByFieldsOfARecordOfAnybodys(String backend) throws Exception {
    try (TestRegistry registry = TestRegistry.withLogin("ann", "s3cret")) {
      registry.put(17, ORDER.toString());
      registry.failures.set(2);
      List<byte[]> values = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        for (int user = 0; user < 4; user++) values.add(order(17, user, "BUY", "nz"));
      }
      values.add(order(17, 0, "SELL", "nz"));
      values.add(order(17, 0, "BUY", "au"));
      values.add(order(99, 0, "BUY", "nz"));
      values.add(order(-1, 0, "BUY", "nz"));
      values.add(order(Integer.MIN_VALUE, 0, "BUY", "nz"));
      values.add(order(0, 0, "BUY", "nz"));
      values.add(new byte[] {0, 0, 0, 0, 17, 1});
      values.add(new byte[] {0, 0, 0});

      List<ConsumerRecord<byte[], byte[]>> out =
          run(registry, values, "sluice.limit.buys.backend=" + backend);

      assertThat(with(out, "sluice-verdict", "allowed")).hasSize(4 * 3 + 2);
      assertThat(with(out, "sluice-verdict", "rejected")).hasSize(4 * 3);
      assertThat(out.stream().map(each -> Servers.header(each, "sluice-error")))
          .filteredOn(error -> !error.isEmpty())
          .containsExactlyInAnyOrder(
              "schema 99 is unknown to the schema registry at " + registry.url(),
              "schema 0 is unknown to the schema registry at " + registry.url(),
              "not in Confluent's format: no schema has the id 4294967295, the highest is"
                  + " 2147483647",
              "not in Confluent's format: no schema has the id 2147483648, the highest is"
                  + " 2147483647",
              "bad Avro of schema 17: lines: the bytes end inside a number",
              "too short for Confluent's format: 3 bytes of at least 5");
      assertThat(texts(out)).isEqualTo(texts(values));
    }
  }

  /** The events of one customer count together in all formats. */
  @Test
  void countsEventsInAllFormatsOfARegistry() throws Exception {
    try (TestRegistry registry = TestRegistry.withLogin("ann", "s3cret")) {
      UUID guid = UUID.randomUUID();
      registry.put(17, ORDER.toString());
      registry.put(18, "JSON", "{\"type\": \"object\"}");
      registry.put(
          19, "PROTOBUF", ORDER_PROTO, TestRegistry.reference("shop/customer.proto", "customer"));
      registry.putSubject("customer", "PROTOBUF", CUSTOMER_PROTO);
      registry.put(guid, "JSON", "{\"type\": \"object\"}");
      SluiceConfig config = config(registry);
      String topic = config.inputTopics().get(0);
      byte[] json =
          """
          {"kind": "BUY", "at": 1790000000000, "customer": {"id": 5, "country": "nz"}}\
          """
              .getBytes(UTF_8);
      List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
      records.add(new ProducerRecord<>(topic, order(17, 5, "BUY", "nz")));
      records.add(new ProducerRecord<>(topic, framed(18, json)));
      for (int i = 0; i < 2; i++) {
        records.add(new ProducerRecord<>(topic, framed(19, protobuf(5, "nz", new byte[] {0}))));
        records.add(new ProducerRecord<>(topic, framed(19, protobuf(6, "nz", new byte[] {0}))));
        records.add(new ProducerRecord<>(topic, framed(19, protobuf(6, "au", new byte[] {0}))));
      }
      ProducerRecord<byte[], byte[]> byGuid = new ProducerRecord<>(topic, json);
      byGuid.headers().add("__value_schema_id", guidHeader(guid));
      ProducerRecord<byte[], byte[]> byHeader =
          new ProducerRecord<>(topic, protobuf(5, "nz", new byte[0]));
      byHeader.headers().add("__value_schema_id", framed(19, new byte[] {0}));
      records.add(byGuid);
      records.add(byHeader);
      records.add(new ProducerRecord<>(topic, framed(19, protobuf(5, "nz", new byte[] {2, 8}))));
      try (Sluice sluice = Sluice.start(config)) {
        assertThat(sluice.awaitRunning()).isTrue();
        servers.publish(records);
        List<ConsumerRecord<byte[], byte[]>> out = read(config, records.size());

        assertThat(with(out, "sluice-verdict", "allowed")).hasSize(3 + 2 + 2);
        assertThat(with(out, "sluice-verdict", "rejected")).hasSize(3);
        assertThat(out.stream().map(each -> Servers.header(each, "sluice-error")))
            .filteredOn(error -> !error.isEmpty())
            .containsExactly("bad Protobuf of schema 19: no message has these indexes");
        assertThat(texts(out))
            .isEqualTo(texts(records.stream().map(ProducerRecord::value).toList()));
      }
    }
  }

  /** Encodes an order by hand, after the indexes of its type. The first constant is left out. */
  private static byte[] protobuf(long customer, String country, byte[] indexes) {
    ProtobufBytes who = new ProtobufBytes().number(1, customer).text(2, country);
    ProtobufBytes at = new ProtobufBytes().number(1, 1_790_000_000L);
    return new ProtobufBytes().raw(indexes).message(2, who).message(4, at).toBytes();
  }

  private static byte[] framed(int schemaId, byte[] body) {
    return ByteBuffer.allocate(5 + body.length).put((byte) 0).putInt(schemaId).put(body).array();
  }

  private static byte[] guidHeader(UUID guid) {
    return ByteBuffer.allocate(17)
        .put((byte) 1)
        .putLong(guid.getMostSignificantBits())
        .putLong(guid.getLeastSignificantBits())
        .array();
  }

  @Test
  void eventsWaitForTheRegistryAndNothingIsLostOrDoneTwice() throws Exception {
    try (TestRegistry registry = TestRegistry.withLogin("ann", "s3cret")) {
      registry.put(17, ORDER.toString());
      registry.failures.set(20);
      SluiceConfig config = config(registry);
      List<byte[]> values = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        values.add(order(17, i, "BUY", "nz"));
        values.add(("{\"customer\":{\"id\":" + i + "},\"kind\":\"BUY\"}").getBytes(UTF_8));
      }
      try (Sluice sluice = Sluice.start(config)) {
        assertThat(sluice.awaitRunning()).isTrue();
        publish(config, values.subList(20, 40)); // a transaction is open when the first one waits
        publish(config, values.subList(0, 20));

        assertThat(texts(read(config, values.size()))).isEqualTo(texts(values));
        assertThat(metric(sluice, "failed-stream-threads")).isZero();
      }
    }
  }

  private static double metric(Sluice sluice, String name) {
    return sluice.metrics().entrySet().stream()
        .filter(entry -> entry.getKey().name().equals(name))
        .mapToDouble(entry -> ((Number) entry.getValue().metricValue()).doubleValue())
        .sum();
  }

  private List<ConsumerRecord<byte[], byte[]>> run(
      TestRegistry registry, List<byte[]> values, String... more) throws Exception {
    SluiceConfig config = config(registry, more);
    try (Sluice sluice = Sluice.start(config)) {
      assertThat(sluice.awaitRunning()).isTrue();
      publish(config, values);
      return read(config, values.size());
    }
  }

  private SluiceConfig config(TestRegistry registry, String... more) {
    Map<String, String> settings = servers.settings(SETTINGS);
    settings.put("sluice.schemas.url", registry.url());
    return SluiceConfig.of(SettingLines.put(settings, more));
  }

  private void publish(SluiceConfig config, List<byte[]> values) throws Exception {
    List<byte[]> keys = Collections.nCopies(values.size(), null);
    servers.publish(config.inputTopics().get(0), keys, values);
  }

  private List<ConsumerRecord<byte[], byte[]>> read(SluiceConfig config, int records) {
    return servers.read(config.outputTopics(), read -> read.size() >= records);
  }

  /** Encodes an order by Avro's own encoder, after the id of a schema. */
  private static byte[] order(int schemaId, long customer, String kind, String country) {
    Schema customerSchema = ORDER.getField("customer").schema().getTypes().get(1);
    GenericData.Record who = new GenericData.Record(customerSchema);
    who.put("id", customer);
    who.put("country", country);
    GenericData.Record order = new GenericData.Record(ORDER);
    order.put("lines", List.of(1.5, 2.5));
    order.put("customer", who);
    order.put("kind", new GenericData.EnumSymbol(ORDER.getField("kind").schema(), kind));
    order.put("at", 1_790_000_000_000_000L);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      bytes.write(ByteBuffer.allocate(5).put((byte) 0).putInt(schemaId).array());
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
      new GenericDatumWriter<GenericData.Record>(ORDER).write(order, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static List<ConsumerRecord<byte[], byte[]>> with(
      List<ConsumerRecord<byte[], byte[]>> out, String header, String value) {
    return out.stream().filter(each -> Servers.header(each, header).equals(value)).toList();
  }

  private static List<String> texts(List<?> values) {
    return values.stream()
        .map(each -> each instanceof ConsumerRecord<?, ?> read ? read.value() : each)
        .map(each -> new String((byte[]) each, UTF_8) + Arrays.hashCode((byte[]) each))
        .sorted()
        .toList();
  }
}
