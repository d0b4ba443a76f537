package io.sluice.server.web;

import static io.sluice.server.web.OpenPage.eventually;
import static io.sluice.server.web.OpenPage.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.server.App;
import io.sluice.testing.Outputs.Out;
import io.sluice.testing.Servers;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of an operator's work on the page while a vendor is flooded, in a real browser. */
@Tag("full") // an instance and a browser, with a flood of events
class PageQueueIT {
  /** Events of a flood, which takes a minute to leave. */
  private static final int MARKETING = 300;

  @ParameterizedTest
  @ValueSource(ints = {1200, 360})
  void passwordsPassAFloodAndAPauseHoldsAll(int width) throws Exception {
    try (OpenPage page = new OpenPage();
        App app =
            new App(
                Servers.shared(),
                "sluice.limits=vendor",
                "sluice.limit.vendor.key=",
                "sluice.limit.vendor.backend=redis",
                "sluice.limit.vendor.quota=5/1s",
                "sluice.limit.vendor.burst=1",
                "sluice.limit.vendor.exceeded=queue",
                "sluice.queue.priority=action",
                "sluice.queue.priorities=password,*",
                "sluice.http.write=true",
                "sluice.http.port=0")) {
      for (int i = 0; i < MARKETING; i++) app.load.publish("user" + i % 50, "marketing");
      app.load.publishTimes("eve", "marketing", 3);
      app.load.published();
      page.open(app.sluice.httpAddress().orElseThrow(), width, "light");
      app.load.publish("ada", "password");
      eventually(() -> assertThat(allowed(app, "ada")).hasSize(1));
      assertThat(allowed(app)).hasSizeLessThan(MARKETING / 2);

      page.lookUp("eve");
      page.shows("#look .waiting-list", "Waiting in line: 3", "in its line");
      page.press("#look .waiting-list", "Cancel");
      page.press("#look .waiting-list", "Confirm cancellation");
      page.shows("#look .waiting-list", "Waiting in line: 2");
      page.everybodyCanReadIt();
      page.browser.picture("queue-cancelled-" + width);

      page.press(rule("vendor"), "Pause");
      page.press(rule("vendor"), "Preview");
      page.press(rule("vendor") + " .proposal", "Pause");
      page.shows(rule("vendor"), "Paused until");
      double waiting = app.metric("queue-length");
      for (int more = 1; more <= 2; more++) {
        double all = waiting + more;
        app.load.publish("bob", "password");
        eventually(() -> assertThat(app.metric("queue-length")).isEqualTo(all));
      }
      page.everybodyCanReadIt();
      page.browser.picture("queue-paused-" + width);

      page.press(rule("vendor"), "Resume");
      page.press(rule("vendor") + " .proposal", "Resume");
      eventually(() -> assertThat(allowed(app, "bob")).hasSize(2));
      assertThat(app.outputs.all())
          .filteredOn(each -> each.verdict().equals("rejected"))
          .extracting(Out::user, Out::reason)
          .containsExactly(tuple("eve", "cancelled"));
    }
  }

  private static List<Out> allowed(App app, String user) {
    return allowed(app).stream().filter(each -> each.user().equals(user)).toList();
  }

  private static List<Out> allowed(App app) {
    return app.outputs.all().stream().filter(Out::isAllowed).toList();
  }
}
