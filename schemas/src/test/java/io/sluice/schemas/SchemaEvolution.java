package io.sluice.schemas;

import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaCompatibility;
import org.apache.avro.SchemaCompatibility.SchemaCompatibilityType;
import org.apache.avro.SchemaNormalization;

/** Check of a schema against the versions that were published before. */
final class SchemaEvolution {
  private static final String WHAT_TO_DO =
      "Topics hold records of every published version, and older programs read the newest. Add"
          + " fields with a default, remove only fields that have one, change nothing else; then see"
          + " \"Change a record\" in schemas/README.md.";

  private SchemaEvolution() {}

  /** Returns the objections to a schema, one a line; none if it can be used. */
  static List<String> objections(Schema current, List<Schema> published) {
    List<String> objections = new ArrayList<>();
    String record = (published.isEmpty() ? current : published.get(0)).getName();
    for (int i = 0; i < published.size(); i++) {
      String version = record + ".v" + (i + 1) + ".avsc";
      if (!readEachOther(current, published.get(i))) {
        objections.add(
            "%s.avsc and %s cannot read each other's records. %s"
                .formatted(record, version, WHAT_TO_DO));
      } else if (!sameLogicalTypes(current, published.get(i))) {
        objections.add(
            "%s.avsc gives a field another logical type than %s, which Avro ignores: its"
                    .formatted(record, version)
                + " records would be read as other values. Add a field instead.");
      }
    }
    if (published.isEmpty() || !sameAs(published.get(published.size() - 1), current)) {
      objections.add(
          "%s.avsc is not the newest published version: nobody could read what it writes. "
                  .formatted(record)
              + "Copy it to src/main/resources/io/sluice/schemas/published/%s.v%d.avsc, and never"
                  .formatted(record, published.size() + 1)
              + " alter a version that was published.");
    }
    return objections;
  }

  private static boolean readEachOther(Schema one, Schema other) {
    return reads(one, other) && reads(other, one);
  }

  private static boolean reads(Schema reader, Schema writer) {
    return SchemaCompatibility.checkReaderWriterCompatibility(reader, writer).getType()
        == SchemaCompatibilityType.COMPATIBLE;
  }

  private static boolean sameLogicalTypes(Schema one, Schema other) {
    return one.getFields().stream()
        .filter(field -> other.getField(field.name()) != null)
        .allMatch(
            field ->
                String.valueOf(field.schema().getProp("logicalType"))
                    .equals(
                        String.valueOf(
                            other.getField(field.name()).schema().getProp("logicalType"))));
  }

  /** The fingerprint ignores defaults and logical types; {@code equals} compares them. */
  private static boolean sameAs(Schema newest, Schema current) {
    return SchemaNormalization.parsingFingerprint64(newest)
            == SchemaNormalization.parsingFingerprint64(current)
        && newest.equals(current);
  }
}
