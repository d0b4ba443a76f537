package io.sluice.server.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.change.RequestBody.Kind;
import io.sluice.server.web.Route.Request;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestBodyTest {
  private static final Map<String, Kind> ACCEPTED =
      Map.of(
          "at", Kind.TEXT,
          "dryRun", Kind.FLAG,
          "for", Kind.PAIRS,
          "settings", Kind.TEXTS,
          "steps", Kind.NUMBER);

  private static RequestBody body(String json) {
    return RequestBody.of(new Request("POST", List.of(), Map.of(), json), ACCEPTED);
  }

  @Test
  void eachFieldIsReadAsWhatItIs() {
    RequestBody body =
        body(
            "{\"at\":\"+1h\",\"dryRun\":true,\"for\":{\"userId\":7,\"b\":true},"
                + "\"settings\":[\"quota\",1],\"steps\":3}");
    assertThat(body.mistakes()).isEmpty();
    assertThat(body.text("at", "now")).isEqualTo("+1h");
    assertThat(body.flag("dryRun")).isTrue();
    assertThat(body.list("for")).containsExactly("userId=7", "b=true");
    assertThat(body.list("settings")).containsExactly("quota", "1");
    assertThat(body.number("steps", 0)).isEqualTo(3);
    assertThat(body.asked().dryRun()).isTrue();
  }

  @Test
  void nullIsAsIfItWereNotThere() {
    RequestBody body =
        body("{\"at\":null,\"dryRun\":null,\"for\":null,\"settings\":null,\"steps\":null}");
    assertThat(body.mistakes()).isEmpty();
    assertThat(body.text("at", "now")).isEqualTo("now");
    assertThat(body.flag("dryRun")).isFalse();
    assertThat(body.list("for")).isEmpty();
    assertThat(body.number("steps", 5)).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[]|the body must be a JSON object",
        "''|the body must be a JSON object",
        "{} {}|bad JSON: more than one object",
        "{\"at\":\"a\",\"at\":\"b\"}|at: is there twice",
        "{\"at\":true}|at: must be a text",
        "{\"at\":{\"for\":1}}|at: must be a text",
        "{\"dryRun\":\"true\"}|dryRun: must be true or false",
        "{\"steps\":1.5}|steps: must be a whole number",
        "{\"settings\":\"quota\"}|settings: must be a list of texts",
        "{\"settings\":[[\"a\"],null]}|settings: must be a list of texts",
        "{\"for\":[\"userId=a\"]}|for: must be an object of texts",
        "{\"for\":{\"a\":{\"b\":\"c\"}}}|for.a: must be a text",
        "{\"for\":{\"a\":null}}|for.a: must be a text",
        "{\"for\":{\"a\":\"1\",\"a\":\"2\"}}|for.a: is there twice",
        "{\"for\":{\"a=b\":\"1\"}}|for.a=b: the name must not be empty, and must not contain =",
        "{\"for\":{\"\":\"1\"}}|for.: the name must not be empty, and must not contain =",
        "{\"no\":1}|no: unknown; accepted are at, dryRun, for, settings, steps"
      })
  void whatIsWrongIsNamed(String json, String mistake) {
    assertThat(body(json).mistakes()).containsExactly(mistake);
  }

  @Test
  void allThatIsWrongIsSaidAtOnceButNotWithoutEnd() {
    assertThat(body("{\"no\":1,\"at\":[],\"steps\":\"x\"}").mistakes()).hasSize(3);
    StringBuilder many = new StringBuilder("{");
    for (int i = 0; i < 1_000; i++) many.append("\"x").append(i).append("\":1,");
    assertThat(body(many + "\"at\":\"now\"}").mistakes()).hasSize(20);
  }

  @Test
  void aNumberThatIsTooLargeIsTheLargest() {
    assertThat(body("{\"steps\":99999999999}").number("steps", 0)).isEqualTo(Integer.MAX_VALUE);
    assertThat(body("{\"steps\":-99999999999}").number("steps", 0)).isEqualTo(Integer.MIN_VALUE);
  }

  @Test
  void whatIsMissingIsSaidUnlessItIsWrongAlready() {
    assertThat(body("{}").require("steps", "7").mistakes())
        .containsExactly("steps: is missing; such as 7");
    assertThat(body("{\"for\":{}}").require("for", "x").mistakes())
        .containsExactly("for: is missing; such as x");
    assertThat(body("{\"steps\":0}").require("steps", "7").mistakes()).isEmpty();
    assertThat(body("{\"steps\":\"x\"}").require("steps", "7").mistakes()).hasSize(1);
    assertThat(body("{\"at\":").require("steps", "7").mistakes())
        .singleElement()
        .asString()
        .startsWith("bad JSON: ");
  }

  @Test
  void parametersOfTheQueryAreRefused() {
    Request request = new Request("POST", List.of(), Map.of("dryRun", "true"), "{}");
    assertThat(RequestBody.of(request, ACCEPTED).mistakes())
        .containsExactly("parameters are not accepted: send all fields in the body");
  }
}
