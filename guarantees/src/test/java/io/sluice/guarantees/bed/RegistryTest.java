package io.sluice.guarantees.bed;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistryTest {
  @ParameterizedTest
  @CsvSource({
    "7, 200, UserAction",
    "8, 404, 40403",
    "2147483647, 404, 40403",
    "2147483648, 404, 404 Not Found",
    "4294967295, 404, 404 Not Found",
  })
  void itAnswersAsARealOneDoes(String id, int status, String says) throws Exception {
    try (Registry registry = new Registry()) {
      HttpResponse<String> answer = ask(registry, id);

      assertThat(answer.statusCode()).isEqualTo(status);
      assertThat(answer.body()).contains(says);
    }
  }

  @Test
  void itCanBeMadeToFailAndIsRightAgain() throws Exception {
    try (Registry registry = new Registry()) {
      registry.fail(true);
      assertThat(ask(registry, "7").statusCode()).isEqualTo(500);

      registry.fail(false);
      assertThat(ask(registry, "7").statusCode()).isEqualTo(200);
    }
  }

  private static HttpResponse<String> ask(Registry registry, String id) throws Exception {
    URI path = URI.create(registry.url() + "/schemas/ids/" + id);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(path).build(), HttpResponse.BodyHandlers.ofString());
  }
}
