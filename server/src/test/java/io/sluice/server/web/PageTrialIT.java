package io.sluice.server.web;

import static io.sluice.server.web.OpenPage.chart;
import static io.sluice.server.web.OpenPage.eventually;
import static io.sluice.server.web.OpenPage.known;
import static io.sluice.server.web.OpenPage.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.App;
import io.sluice.testing.Scrape;
import io.sluice.testing.Servers;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Tests of the trial of a change on the page. */
@Tag("full") // waits for steps of the chart, of ten seconds
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PageTrialIT {
  private static final String STRIP = chart("reply") + " .trial";

  private OpenPage page;
  private App app;
  private URI instance;

  @BeforeAll
  void start() throws Exception {
    page = new OpenPage();
    app =
        new App(
            Servers.shared(),
            "sluice.limits=reply,sms",
            "sluice.limit.reply.match.action=reply",
            "sluice.limit.reply.quota=5/1h",
            "sluice.limit.sms.match.action=sms",
            "sluice.limit.sms.quota=5/1h",
            "sluice.limit.sms.exceeded=delay",
            "sluice.limit.sms.delay.max=10h",
            "sluice.http.write=true",
            "sluice.http.port=0");
    instance = app.sluice.httpAddress().orElseThrow();
    triesToDelayFewer();
  }

  /** Starts this trial before the others, so that its first step is over when it is checked. */
  private void triesToDelayFewer() {
    open();
    page.press(rule("sms"), "Change sms");
    page.fill(rule("sms"), "quota", "1/1h");
    page.press(rule("sms"), "Try it first");
    page.press(rule("sms") + " .proposal", "Start trial");
    page.shows(chart("sms") + " .trial", "would be rejected if quota=1/1h");
  }

  @AfterAll
  void stop() {
    if (page != null) page.close();
    if (app != null) app.close();
  }

  @BeforeEach
  void open() {
    page.open(instance, 1200, "light");
  }

  private String limits() throws Exception {
    return Scrape.get(instance, "/api/limits").body();
  }

  private void tries(String within, String quota) {
    page.fill(within, "quota", quota);
    page.press(within, "Try it first");
    page.shows(within + " .proposal", "reply-try", "only report");
    page.press(within + " .proposal", "Start trial");
    page.shows(within + " .done", "Published");
    page.shows(STRIP, "would be rejected if quota=" + quota, "began with empty counts");
    page.awaitNextStep(); // the step in which it begins is not counted
  }

  private void ends(String button) {
    page.press(STRIP, button);
    page.press(STRIP + " .proposal", button);
    eventually(() -> assertThat(limits()).doesNotContain("reply-try"));
    eventually(
        () ->
            assertThat(page.browser.run("return document.querySelector('.trial').hidden"))
                .isEqualTo(true));
  }

  @Test
  @Order(1)
  void whatItWouldRejectIsDrawnAsItComesAndThenItIsMadeReal() {
    app.load.publishTimes("ada", "reply", 4);
    page.press(rule("reply"), "Change reply");
    tries(rule("reply"), "2/1h");
    app.load.publishTimes("bob", "reply", 5);
    page.shows(STRIP, "3 would be rejected; 0 were rejected.");
    eventually(
        () ->
            assertThat(page.saysOf("reply"))
                .isEqualTo(
                    "reply, the last 15 minutes: 9 allowed, 0 rejected, 0 delayed; 3 would be"
                        + " rejected"));
    assertThat(page.browser.texts("#charts h3")).doesNotContain("reply-try (shadow)");
    assertThat(page.browser.texts("#rules h3")).containsExactly("reply", "sms");

    page.reload();
    page.shows(STRIP, "quota=2/1h", "3 would be rejected; 0 were rejected.");
    page.press(STRIP, "Apply change");
    page.shows(STRIP + " .proposal", "5 in 1 h", "→ 2 in 1 h");
    page.everybodyCanReadIt();
    page.press(STRIP + " .proposal", "Apply change");
    page.shows(rule("reply") + " .quota", "2 in 1 h");
    eventually(() -> assertThat(limits()).doesNotContain("reply-try"));
    app.load.publishTimes("cid", "reply", 5);
    eventually(() -> assertThat(page.saysOf("reply")).asString().contains("3 rejected"));
  }

  @Test
  @Order(2)
  void itIsTriedForOneUserAndDropped() throws Exception {
    String user = "d,o*!t";
    page.lookUp(user);
    page.press(known("reply"), "Change the limit");
    tries(known("reply"), "1/1h");
    page.shows(STRIP, "for userId " + user);
    assertThat(limits()).contains("\"match.userId\":\"d\\\\,o\\\\*\\\\!t\"");
    app.load.publishTimes(user, "reply", 2);
    app.load.publishTimes("eve", "reply", 2);
    page.shows(STRIP, "1 would be rejected; 0 were rejected for all keys.");
    ends("End trial");
  }

  @Test
  @Order(3)
  void nothingOfAnEarlierTrialIsLeftInTheNext() throws Exception {
    page.press(rule("reply"), "Change reply");
    tries(rule("reply"), "1/1h");
    assertThat(limits()).doesNotContain("match.userId");
    app.load.publishTimes("fay", "reply", 2);
    page.shows(STRIP, "would be rejected; 0 were rejected.");
    assertThat(page.browser.text(STRIP)).doesNotContain("for userId");
    ends("End trial");
  }

  @Test
  @Order(4)
  void whatWouldBeDelayedIsDrawnToo() {
    app.load.publishTimes("gus", "sms", 3);
    page.shows(chart("sms") + " .trial", "2 delayed");
  }

  @Test
  @Order(5)
  void bothAreCountedFromTheSameInstant() {
    page.press(rule("reply"), "Change reply");
    tries(rule("reply"), "1/1h");
    for (int step = 0; step < 4; step++) {
      for (int user = 0; user < 12; user++)
        app.load.publishTimes("user" + step + user, "reply", 1 + user % 4);
      page.awaitNextStep();
    }
    page.shows(STRIP, "72 would be rejected; 36 were rejected.");
    page.picture("#charts-title", 560, "page-trial");
  }
}
