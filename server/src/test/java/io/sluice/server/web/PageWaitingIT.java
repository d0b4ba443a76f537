package io.sluice.server.web;

import static io.sluice.server.web.OpenPage.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.App;
import io.sluice.testing.Servers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of a user's waiting events on a narrow page, in a real browser. */
@Tag("slow") // an instance and a browser
class PageWaitingIT {
  private static final String EVENTS = "#look .waiting-events li";

  @Test
  void waitingEventsOfAUserAreShownAndCancelled() throws Exception {
    try (OpenPage page = new OpenPage();
        App app =
            new App(
                Servers.shared(),
                "sluice.limits=call",
                "sluice.limit.call.quota=1/1h",
                "sluice.limit.call.exceeded=queue",
                "sluice.http.write=true",
                "sluice.http.port=0")) {
      app.load.publishTimes("joe", "call", 3);
      app.load.published();
      page.open(app.sluice.httpAddress().orElseThrow(), 360, "light");
      page.lookUp("joe");
      eventually(() -> assertThat(page.browser.texts(EVENTS)).hasSize(2));
      page.shows("#look .waiting-list", "Waiting in line: 2", "number 1 in its line, leaves in");
      page.shows("#look .waiting-list", "number 2 in its line");
      assertThat((long) page.browser.run("return document.documentElement.scrollWidth"))
          .isLessThanOrEqualTo(360);

      page.browser.run(
          """
          const real = window.fetch;
          window.fetch = (path, request) => {
            if (request.method !== 'POST') return real(path, request);
            window.fetch = real;
            return Promise.resolve(new Response('{"error":"too many at once"}', { status: 503 }));
          };
          """);
      page.press("#look .waiting-list", "Cancel");
      page.press("#look .waiting-list", "Confirm cancellation");
      page.shows("#look .waiting-list", "too many at once");
      page.press("#look .waiting-list", "Cancel");
      page.press("#look .waiting-list", "Confirm cancellation");
      eventually(() -> assertThat(page.browser.texts(EVENTS)).hasSize(1));
      page.shows("#look .waiting-list", "number 1 in its line");
      eventually(
          () ->
              assertThat(app.outputs.all())
                  .filteredOn(each -> each.reason().equals("cancelled"))
                  .hasSize(1));
    }
  }
}
