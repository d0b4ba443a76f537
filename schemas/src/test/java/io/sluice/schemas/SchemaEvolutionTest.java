package io.sluice.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaEvolutionTest {
  /**
   * Fingerprints of all versions, the first on the left. A new version is added; none is ever
   * changed.
   */
  private static final List<String> FINGERPRINTS = List.of("0f60bf9cf3c32669");

  private static final List<String> FINGERPRINTS_OF_REVISIONS = List.of("fdebfb265caea336");

  private final List<Schema> published = PublishedSchemas.load("UserAction");

  @ParameterizedTest
  @ValueSource(strings = {"UserAction", "LimitRevision"})
  void todaysSchemaIsPublishedAndReadsAndIsReadByEveryOther(String record) throws IOException {
    assertThat(SchemaEvolution.objections(parse(today(record)), PublishedSchemas.load(record)))
        .isEmpty();
  }

  @Test
  void noPublishedVersionWasAltered() {
    assertThat(fingerprints("UserAction")).isEqualTo(FINGERPRINTS);
    assertThat(fingerprints("LimitRevision")).isEqualTo(FINGERPRINTS_OF_REVISIONS);
  }

  /** Returns the fingerprints of all published versions of a record. */
  private static List<String> fingerprints(String record) {
    return PublishedSchemas.load(record).stream()
        .map(schema -> "%016x".formatted(SchemaNormalization.parsingFingerprint64(schema)))
        .toList();
  }

  @Test
  void theGeneratedClassesAreOfTodaysSchemas() throws IOException {
    for (Schema made : List.of(UserAction.getClassSchema(), LimitRevision.getClassSchema())) {
      assertThat(SchemaNormalization.toParsingForm(made))
          .isEqualTo(SchemaNormalization.toParsingForm(parse(today(made.getName()))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"UserAction", "LimitRevision"})
  void everythingIsDocumented(String record) throws IOException {
    Schema today = parse(today(record));

    assertThat(today.getDoc()).isNotBlank();
    assertThat(today.getFields()).extracting(Schema.Field::doc).doesNotContainNull();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a field is renamed      | "userId"             | "accountId"
          a type is narrowed      | "type": "long",      | "type": "int",
          a field is added bare   | "fields": [          | "fields": [{"name": "x", "type": "int"},
          the record is renamed   | "name": "UserAction" | "name": "Deed"
          the unit is changed     | timestamp-millis     | timestamp-micros
          """)
  void anIncompatibleChangeIsCaught(String change, String before, String after) throws IOException {
    Schema changed = changed(before, after);

    assertThat(SchemaEvolution.objections(changed, published))
        .as(change)
        .anyMatch(objection -> objection.contains("UserAction.v1.avsc"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a field is added        | "fields": [    | "fields": [{"name": "x", "type": "int", "default": 0},
          a default is changed    | "default": 1,  | "default": 2,
          a default is taken away | "default": {}, | "order": "ignore",
          """)
  void aCompatibleChangeHasToBePublished(String change, String before, String after)
      throws IOException {
    Schema changed = changed(before, after);

    assertThat(SchemaEvolution.objections(changed, published))
        .as(change)
        .singleElement()
        .asString()
        .contains("published/UserAction.v2.avsc");
    assertThat(SchemaEvolution.objections(changed, List.of(published.get(0), changed)))
        .as(change + ", and published")
        .isEmpty();
  }

  @Test
  void aChangeIsHeldAgainstEveryVersionNotOnlyTheNewest() throws IOException {
    Schema first =
        changed("\"fields\": [", "\"fields\": [{\"name\": \"old\", \"type\": \"string\"},");

    assertThat(SchemaEvolution.objections(published.get(0), List.of(first, published.get(0))))
        .singleElement()
        .asString()
        .contains("UserAction.v1.avsc");
  }

  private static Schema changed(String before, String after) throws IOException {
    String today = today("UserAction");
    assertThat(today).contains(before);
    return parse(today.replace(before, after));
  }

  private static String today(String record) throws IOException {
    return Files.readString(
        Path.of(System.getProperty("basedir", ""), "src/main/avro/" + record + ".avsc"));
  }

  private static Schema parse(String json) {
    return new Schema.Parser().parse(json);
  }
}
