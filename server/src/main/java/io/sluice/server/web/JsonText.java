package io.sluice.server.web;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.databind.util.StdConverter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Reader and writer of the API's JSON texts. A record is an object with its components as fields;
 * an empty {@link OptionalLong} is null.
 *
 * <p>Texts are read from other instances, which may be newer, or from any server at an advertised
 * address. So unknown fields are skipped, missing fields are empty, and a value of another type
 * than the record's is an error.
 */
public final class JsonText {
  private static final String NOT_VALID = "it does not answer as Sluice does";
  private static final long MOST = 1L << 50;

  /** Depth of a read text; the response that includes the text is a little deeper. */
  private static final int MOST_DEPTH = 100;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH).build())
          .build();

  private static final JsonMapper MAPPER =
      JsonMapper.builder(FACTORY)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .withCoercionConfig(
              LogicalType.Textual,
              from ->
                  from.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                      .setCoercion(CoercionInputShape.Float, CoercionAction.Fail))
          .defaultSetterInfo(JsonSetter.Value.construct(Nulls.AS_EMPTY, Nulls.FAIL))
          .addModule(
              new SimpleModule()
                  .addDeserializer(long.class, new BoundedNumber())
                  .addDeserializer(Long.class, new BoundedNumber())
                  .addSerializer(new StdDelegatingSerializer(OptionalLong.class, new OrNull())))
          .build();

  private JsonText() {}

  /** Reads a number from 0 to 2^50, so that sums of numbers cannot overflow. */
  private static final class BoundedNumber extends JsonDeserializer<Long> {
    @Override
    public Long deserialize(JsonParser json, DeserializationContext context) throws IOException {
      check(json.currentToken() == JsonToken.VALUE_NUMBER_INT);
      return bounded(json.getLongValue());
    }

    @Override
    public Long getNullValue(DeserializationContext context) {
      return 0L;
    }
  }

  private static final class OrNull extends StdConverter<OptionalLong, Long> {
    @Override
    public Long convert(OptionalLong number) {
      return number.isPresent() ? number.getAsLong() : null;
    }
  }

  /** Returns the text of a record as a JSON object with a line end. */
  public static String of(Object record) {
    try {
      return MAPPER.writeValueAsString(record) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("cannot write JSON to memory", e);
    }
  }

  static String object(Route.Fields fields) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = MAPPER.createGenerator(text)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write JSON to memory", e);
    }
    return text.append('\n').toString();
  }

  static String problem(String line) {
    return of(Map.of("error", line));
  }

  /**
   * Reads a record from a JSON object.
   *
   * @throws IllegalArgumentException if the text is not valid; the message says so in one line
   */
  public static <T> T read(String text, Class<T> type) {
    try {
      T read = MAPPER.readValue(text, type);
      check(read != null);
      return read;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(NOT_VALID, e);
    }
  }

  /**
   * Checks that a sum of numbers from one text is from 0 to 2^50.
   *
   * @throws IllegalArgumentException if it is not, as for a text that is not valid
   */
  public static long bounded(long number) {
    check(number >= 0 && number <= MOST);
    return number;
  }

  /**
   * Checks a value that was read.
   *
   * @throws IllegalArgumentException if it is not valid, as for a text that is not valid
   */
  public static void check(boolean valid) {
    if (!valid) throw new IllegalArgumentException(NOT_VALID);
  }
}
