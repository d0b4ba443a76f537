package io.sluice.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.sluice.events.RegisteredSchemas.FailedLookups;
import io.sluice.events.SelectedEvent.InputTopic;
import io.sluice.rules.event.Origin;
import io.sluice.rules.event.UnreadableEventException;
import io.sluice.rules.event.UnreadableEventException.SchemasUnavailableException;
import io.sluice.schemas.RecordReader;
import io.sluice.testing.TestRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow") // the registry is asked again after real timeouts
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RegisteredSchemasTest {
  private static final String CLICK =
      """
      {"type": "record", "name": "Click", "fields": [
        {"name": "userId", "type": "string"}, {"name": "action", "type": "string"}]}\
      """;
  private static final byte[] BODY = "\u0006ada\u0008post".getBytes(StandardCharsets.US_ASCII);

  private final AtomicLong nanos = new AtomicLong();
  private TestRegistry registry;

  @AfterEach
  void close() {
    if (registry != null) registry.close();
  }

  private Schemas schemas() throws IOException {
    registry = new TestRegistry();
    return schemas("", "");
  }

  /** Returns a cache whose clock goes on by a second with each reading. */
  private Schemas schemas(String user, String password) {
    return new RegisteredSchemas(
        new SchemaRegistry(registry.url(), user, password),
        EventSelectors.DEFAULT,
        Duration.ofSeconds(3),
        () -> nanos.addAndGet(1_000_000_000));
  }

  private static String user(ValueReader reader) {
    return field(reader, BODY, Role.USER);
  }

  private static String field(ValueReader reader, byte[] body, Role role) {
    int slot = EventSelectors.DEFAULT.field(role).slot(0);
    RecordReader records = ((AvroEvents.Reader) reader).records();
    return (String) records.read(body, 0, body.length).values().get(slot);
  }

  @Test
  void asksForASchemaOnce() throws Exception {
    Schemas schemas = schemas();
    registry.put(7, CLICK);

    for (int i = 0; i < 3; i++) assertThat(user(schemas.byId(SchemaId.of(7)))).isEqualTo("ada");
    assertThat(registry.requests).containsExactly("/schemas/ids/7");
  }

  @Test
  void anUnknownSchemaIsRememberedForAWhile() throws Exception {
    Schemas schemas = schemas();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> schemas.byId(SchemaId.of(9)))
          .isInstanceOf(UnreadableEventException.class)
          .hasMessage("schema 9 is unknown to the schema registry at " + registry.url());
    }
    assertThat(registry.requests).hasSize(1);

    registry.put(9, CLICK);
    nanos.addAndGet(RegisteredSchemas.REFUSED_FOR.toNanos());
    assertThat(user(schemas.byId(SchemaId.of(9)))).isEqualTo("ada");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, 0x80_00_00_01})
  void anIdThatNoSchemaHasIsNotAskedFor(int id) throws Exception {
    TopicDecoder decoder = new TopicDecoder(EventSelectors.DEFAULT, schemas());
    byte[] value = ByteBuffer.allocate(9).put((byte) 0).putInt(id).array();

    assertThatThrownBy(
            () ->
                decoder.read(
                    RawRecord.ofValue(value, Origin.of("user-actions", 0, 1), 0),
                    value,
                    new InputTopic("user-actions", "")))
        .isInstanceOf(UnreadableEventException.class)
        .hasMessage(
            "not in Confluent's format: no schema has the id "
                + Integer.toUnsignedString(id)
                + ", the highest is 2147483647");
    assertThat(registry.requests).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, Integer.MAX_VALUE})
  void anyOtherIdMayBeThatOfASchema(int id) throws Exception {
    Schemas schemas = schemas();
    unreadable(schemas, id, "schema " + id + " is unknown to the schema registry");
    registry.put(id, CLICK);
    nanos.addAndGet(RegisteredSchemas.REFUSED_FOR.toNanos());
    assertThat(user(schemas.byId(SchemaId.of(id)))).isEqualTo("ada");
  }

  @Test
  void aFloodOfUnknownIdsIsAskedForInPart() throws Exception {
    registry = new TestRegistry();
    RegisteredSchemas schemas = patientFor(Duration.ZERO);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      int id = random.nextInt(1 << 20, Integer.MAX_VALUE);
      unreadable(schemas, id, "schema " + id + " is ");
    }
    assertThat(registry.requests).hasSizeBetween(500, 1_100);
    unreadable(
        schemas,
        1 << 30,
        "schema 1073741824 is not requested: too many ids of this length were unknown in the last"
            + " 30 s");

    registry.put(100_017, CLICK);
    assertThat(user(schemas.byId(SchemaId.of(100_017)))).isEqualTo("ada");
    nanos.addAndGet(FailedLookups.WHILE.toNanos());
    registry.put(1 << 30, CLICK);
    assertThat(user(schemas.byId(SchemaId.of(1 << 30)))).isEqualTo("ada");
  }

  @Test
  void aSlowRegistryIsAskedInVainForAShareOfTheTime() {
    FailedLookups questions = new FailedLookups(0);
    int asked = 0;
    for (int id = 1 << 30; !questions.areTooMany(id, 1); id++) {
      questions.add(id, 2_000_000_000);
      asked++;
    }
    assertThat(asked).isEqualTo(6);
    assertThat(questions.areTooMany(1 << 29, 1)).isFalse();
    assertThat(questions.areTooMany(1 << 30, FailedLookups.WHILE.toNanos())).isFalse();
  }

  @Test
  void whoNeedNotAskDoesNotWaitForWhoDoes() throws Exception {
    registry = new TestRegistry();
    RegisteredSchemas schemas = patientFor(Duration.ofDays(1));
    unreadable(schemas, 9, "schema 9 is unknown");
    registry.hang();
    Thread waiting = new Thread(() -> catchThrowable(() -> schemas.byId(SchemaId.of(7))));
    waiting.start();
    await().until(() -> registry.requests.contains("/schemas/ids/7"));

    unreadable(schemas, 9, "schema 9 is unknown");
    schemas.stopWaiting();
    registry.close();
    waiting.join();
  }

  /** Returns a cache whose clock stands still. */
  private RegisteredSchemas patientFor(Duration patience) {
    return new RegisteredSchemas(
        new SchemaRegistry(registry.url(), "", ""), EventSelectors.DEFAULT, patience, nanos::get);
  }

  @Test
  void aSchemaOfNoUseIsTheEventsFault() throws Exception {
    Schemas schemas = schemas();
    registry.put(1, "{\"type\": \"record\", \"name\": \"Click\", \"fields\": []}");
    registry.put(2, "\"oops");
    registry.answer("/schemas/ids/3", "{\"schemaType\":\"XML\",\"schema\":\"<a/>\"}");
    registry.put(4, "PROTOBUF", "syntax");
    registry.put(5, "JSON", "[]");

    unreadable(schemas, 1, "schema 1 cannot be used: Click has no field userId, which is the user");
    unreadable(schemas, 2, "schema 2 cannot be used: not an Avro schema: ");
    unreadable(schemas, 3, "schema 3 is XML, not Avro, JSON or Protobuf");
    unreadable(schemas, 4, "schema 4 cannot be used: not a Protobuf schema: ");
    unreadable(schemas, 5, "schema 5 cannot be used: not a JSON schema: ");
  }

  @Test
  void itsTextsAreShownAsOnePlainLine() throws Exception {
    Schemas schemas = schemas();
    String hostile = "a\\u001b[2J\\u009b\\u202e\\n" + "u".repeat(9_000);
    registry.refuse("/schemas/ids/1", 403, TestRegistry.error(40_301, "no\u009b2J\u202e"));
    registry.answer("/schemas/ids/2", "{\"schemaType\":\"" + hostile + "\",\"schema\":\"syntax\"}");
    registry.answer(
        "/schemas/ids/3",
        "{\"references\":[{\"name\":\""
            + hostile
            + "\",\"subject\":\"s\",\"version\":1}],\"schema\":\"x\"}");
    registry.refuse("/subjects/s/versions/1", 404, TestRegistry.error(40_401, "Subject not found"));

    unreadable(
        schemas, 1, "the schema registry at " + registry.url() + " does not give schema 1: no 2J?");
    nanos.addAndGet(FailedLookups.WHILE.toNanos());
    for (int id : new int[] {2, 3}) {
      assertThatThrownBy(() -> schemas.byId(SchemaId.of(id)))
          .isInstanceOf(UnreadableEventException.class)
          .hasMessageContaining("a?[2J???u")
          .message()
          .matches("[^\\p{Cc}\\p{Cf}]{1,250}");
      nanos.addAndGet(FailedLookups.WHILE.toNanos());
    }
  }

  private static void unreadable(Schemas schemas, int id, String why) {
    assertThatThrownBy(() -> schemas.byId(SchemaId.of(id)))
        .isInstanceOf(UnreadableEventException.class)
        .hasMessageStartingWith(why);
  }

  @Test
  void followsReferencesToOtherSchemas() throws Exception {
    Schemas schemas = schemas();
    String who = CLICK.replace("Click", "Who").replace("\"action\"", "\"name\"");
    String two = "[{\"name\":\"Two\",\"subject\":\"a/b c\",\"version\":4}]";
    registry.answer(
        "/subjects/a%2Fb%20c/versions/4", "{\"schema\":" + TestRegistry.quoted(who) + "}");
    registry.answer(
        "/schemas/ids/5",
        "{\"references\":"
            + two
            + ",\"schema\":"
            + TestRegistry.quoted(
                """
                {"type": "record", "name": "Click", "fields": [
                  {"name": "userId", "type": "string"}, {"name": "action", "type": "string"},
                  {"name": "who", "type": ["null", "Who"]}]}\
                """)
            + "}");

    byte[] body = "\u0006ada\u0008post\u0000".getBytes(StandardCharsets.US_ASCII);
    assertThat(field(schemas.byId(SchemaId.of(5)), body, Role.ACTION)).isEqualTo("post");
  }

  @Test
  void asksOnceForWhatManyReferTo() throws Exception {
    Schemas schemas = schemas();
    for (int i = 0; i < 18; i++) {
      String next = "{\"name\":\"N\",\"subject\":\"s" + (i + 1) + "\",\"version\":1}";
      String both = i < 16 ? next + "," + next.replace("s" + (i + 1), "s" + (i + 2)) : "";
      registry.answer(
          "/subjects/s" + i + "/versions/1",
          "{\"references\":[" + both + "],\"schema\":\"\\\"string\\\"\"}");
    }
    String first = "{\"name\":\"N\",\"subject\":\"s0\",\"version\":1}";
    registry.answer(
        "/schemas/ids/5",
        "{\"references\":[" + first + "],\"schema\":" + TestRegistry.quoted(CLICK) + "}");

    assertThat(user(schemas.byId(SchemaId.of(5)))).isEqualTo("ada");
    assertThat(registry.requests).hasSize(1 + 18).doesNotHaveDuplicates();
  }

  @Test
  void whatTheRegistrySaysOfASchemaIsTheEventsFault() throws Exception {
    Schemas schemas = schemas();
    registry.refuse("/schemas/ids/1", 403, TestRegistry.error(40_301, "denied operation Read"));
    registry.refuse("/schemas/ids/2", 422, TestRegistry.error(42_201, "Invalid schema"));
    registry.refuse("/schemas/ids/3", 404, TestRegistry.error(40_406, "soft deleted"));

    String given = "the schema registry at " + registry.url() + " does not give schema ";
    unreadable(schemas, 1, given + "1: denied operation Read");
    nanos.addAndGet(FailedLookups.WHILE.toNanos());
    unreadable(schemas, 2, given + "2: Invalid schema");
    unreadable(schemas, 3, "schema 3 is unknown to the schema registry at " + registry.url());
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 502, 503})
  void somethingElseMayPass(int status) throws Exception {
    Schemas schemas = schemas();
    registry.refuse("/schemas/ids/7", status, TestRegistry.error(status, "Later"));

    assertThatThrownBy(() -> schemas.byId(SchemaId.of(7)))
        .isInstanceOfSatisfying(
            SchemasUnavailableException.class, e -> assertThat(e.isLasting()).isFalse())
        .hasMessageEndingWith(" answered " + status + ": Later");
    assertThat(registry.requests).hasSizeGreaterThan(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 400, 405, 410})
  void aWrongAddressDoesNotPass(int status) throws Exception {
    Schemas schemas = schemas();
    registry.refuse("/schemas/ids/7", status, "<html>");

    assertThatThrownBy(() -> schemas.byId(SchemaId.of(7)))
        .isInstanceOfSatisfying(
            SchemasUnavailableException.class, e -> assertThat(e.isLasting()).isTrue())
        .hasMessageEndingWith(
            " answered " + status + ", but not like a schema registry; check sluice.schemas.url");
    assertThat(registry.requests).hasSizeGreaterThan(1); // it might be a proxy's answer
  }

  @Test
  void waitsForARegistryThatFails() throws Exception {
    Schemas schemas = schemas();
    registry.put(7, CLICK);
    registry.failures.set(2);

    assertThat(user(schemas.byId(SchemaId.of(7)))).isEqualTo("ada");
    assertThat(registry.requests).hasSize(3);
  }

  @Test
  void givesUpWithoutCallingTheEventBad() throws Exception {
    Schemas schemas = schemas();
    registry.put(7, CLICK);
    registry.failures.set(1_000);

    unavailable(schemas, 7, "answered 500: Error in the backend");
    registry.failures.set(0);
    assertThat(user(schemas.byId(SchemaId.of(7)))).isEqualTo("ada");
  }

  private void unavailable(Schemas schemas, int id, String why) {
    assertThatThrownBy(() -> schemas.byId(SchemaId.of(id)))
        .isInstanceOf(SchemasUnavailableException.class)
        .hasMessageStartingWith("the schema registry at " + registry.url())
        .hasMessageEndingWith(why);
  }

  @Test
  void whoComesRightAfterDoesNotWaitAsWell() throws Exception {
    registry = new TestRegistry();
    Schemas schemas =
        new RegisteredSchemas(
            new SchemaRegistry(registry.url(), "", ""),
            EventSelectors.DEFAULT,
            Duration.ofSeconds(1),
            () -> nanos.addAndGet(400_000_000));
    registry.failures.set(1_000);
    unavailable(schemas, 7, "backend");
    assertThat(registry.requests).hasSizeGreaterThan(1);

    registry.requests.clear();
    unavailable(schemas, 8, "backend");
    assertThat(registry.requests).hasSize(1);
  }

  @Test
  void aSlowRegistryIsOneThatDoesNotAnswer() throws Exception {
    registry = new TestRegistry();
    Schemas schemas =
        new RegisteredSchemas(
            new SchemaRegistry(registry.url(), "", "", Duration.ofMillis(200)),
            EventSelectors.DEFAULT,
            Duration.ofSeconds(3),
            () -> nanos.addAndGet(1_000_000_000));
    registry.hang();

    unavailable(schemas, 7, "cannot be reached: request timed out");
  }

  @Test
  void aRegistryThatIsNotThereIsWaitedFor() throws Exception {
    Schemas schemas = schemas();
    registry.close();

    unavailable(schemas, 7, "cannot be reached: ConnectException");
  }

  @Test
  void whoeverElseIsAtThatAddressSaysNothingOfTheEvent() throws Exception {
    registry = new TestRegistry();
    Schemas elsewhere =
        new RegisteredSchemas(
            new SchemaRegistry(registry.url() + "/app", "", ""),
            EventSelectors.DEFAULT,
            Duration.ZERO,
            nanos::get);

    unavailable(
        elsewhere,
        7,
        "/app answered 404: HTTP 404 Not Found, but not like a schema registry; check"
            + " sluice.schemas.url");
    registry.answer("/app/schemas/ids/8", "[1, 2]");
    unavailable(
        elsewhere,
        8,
        "/app answered 200, but not like a schema registry; check sluice.schemas.url");
  }

  @Test
  void logsIn() throws Exception {
    registry = TestRegistry.withLogin("ann", "sécret:1");
    registry.put(7, CLICK);

    assertThat(user(schemas("ann", "sécret:1").byId(SchemaId.of(7)))).isEqualTo("ada");
    unavailable(
        schemas("ann", "wrong"),
        7,
        "answered 401: it does not accept sluice.schemas.user and .password");
    unavailable(schemas("", ""), 7, "answered 401: it needs sluice.schemas.user and .password");
    assertThatThrownBy(() -> schemas("ann", "wrong").byId(SchemaId.of(7)))
        .isInstanceOfSatisfying(
            SchemasUnavailableException.class, e -> assertThat(e.isLasting()).isTrue());
  }

  @Test
  void noThreadWaitsWhenTheApplicationEnds() throws Exception {
    registry = new TestRegistry();
    registry.failures.set(1_000);
    Schemas schemas =
        new RegisteredSchemas(
            new SchemaRegistry(registry.url(), "", ""),
            EventSelectors.DEFAULT,
            Duration.ofDays(1),
            System::nanoTime);
    schemas.stopWaiting();

    unavailable(schemas, 7, "backend");
  }
}
