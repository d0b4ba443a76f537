package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Limited suspend functions of Kotlin in a WebFlux application, over HTTP. */
@Tag("slow") // starts an application on a reactive server
class SuspendFunctionTest extends WebContract {
  private static App app;

  @BeforeAll
  static void start() {
    app = App.webFlux(SuspendFunctions.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @Override
  App app() {
    return app;
  }

  @Test
  void keyAndCostSeeTheParametersButNotTheContinuation() {
    assertThat(Http.get(app, "/mail?to=ada&parts=2").body()).isEqualTo("sent to ada");
    assertThat(Http.get(app, "/mail?to=ada&parts=1").body()).isEqualTo("refused");
    assertThat(Http.get(app, "/mail?to=bob&parts=1").body()).isEqualTo("sent to bob");
  }

  @Test
  void aFunctionWithoutResultIsCalledAndRefused() {
    assertThat(Http.get(app, "/ping").statusCode()).isEqualTo(200);
    assertThat(Http.get(app, "/ping").statusCode()).isEqualTo(429);
  }

  @Test
  void aFunctionThatCannotBeLimitedIsAMistakeAtStart() {
    assertThatThrownBy(() -> App.webFlux(WrongSuspendFunctions.class).close())
        .hasMessageContaining("Wrong.more: fallback: a suspend function has none")
        .hasMessageContaining("Wrong.all: a limited suspend function does not return a Flow")
        .hasMessageContaining("Wrong.ship: a limited @KafkaListener cannot be a suspend function")
        .hasMessageContaining("no parameter #topic; there are #subject");
  }
}
