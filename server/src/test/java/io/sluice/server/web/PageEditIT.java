package io.sluice.server.web;

import static io.sluice.server.web.OpenPage.NEWEST;
import static io.sluice.server.web.OpenPage.eventually;
import static io.sluice.server.web.OpenPage.known;
import static io.sluice.server.web.OpenPage.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.App;
import io.sluice.testing.Asks;
import io.sluice.testing.Servers;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.Keys;

/**
 * Tests of changes that are made on the page in a real browser, and of their effect on verdicts.
 */
@Tag("slow") // twelve changes in a browser, each of which is waited for
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageEditIT {
  private OpenPage page;
  private App app;
  private URI instance;

  @BeforeAll
  void start() throws Exception {
    page = new OpenPage();
    app =
        new App(
            Servers.shared(),
            "sluice.limits=reply,post,dm",
            "sluice.limit.reply.match.action=reply",
            "sluice.limit.reply.quota=5/1h",
            "sluice.limit.reply.backend=redis",
            "sluice.limit.post.match.action=post",
            "sluice.limit.post.quota=3/1h",
            "sluice.limit.dm.match.action=dm",
            "sluice.limit.dm.quota=2/1h",
            "sluice.http.write=true",
            "sluice.http.port=0");
    instance = app.sluice.httpAddress().orElseThrow();
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

  /** Verdicts of a user's events, with the reasons of rejected ones. */
  private List<String> verdicts(String user) {
    return app.outputs.all().stream()
        .filter(out -> out.user().equals(user))
        .map(out -> out.isAllowed() ? out.verdict() : out.verdict() + " " + out.reason())
        .sorted()
        .toList();
  }

  @Test
  void aChangeIsShownFirstThenPublishedThenObeyed() {
    page.press(rule("reply"), "Change reply");
    page.fill(rule("reply"), "quota", "many");
    page.press(rule("reply"), "Preview");
    page.shows(rule("reply") + " .mistakes", "quota", "many");

    page.fill(rule("reply"), "quota", "7/1h");
    page.press(rule("reply"), "Preview");
    page.shows(rule("reply") + " .proposal", "5 in 1 h", "→ 7 in 1 h");
    page.fill(rule("reply"), "ends", "3600");
    page.hasNone(rule("reply") + " .proposal"); // a changed form needs a new proposal
    page.fill(rule("reply"), "ends", "");
    page.press(rule("reply"), "Preview");
    page.fill(rule("reply") + " .proposal", "by", "ada");
    page.fill(rule("reply") + " .proposal", "note", "they write more");
    page.press(rule("reply") + " .proposal", "Publish");
    page.shows(rule("reply") + " .done", "Published");
    page.shows(rule("reply") + " .quota", "7 in 1 h");
    page.shows(rule("reply"), "Changed at", "by ada");
    page.shows(NEWEST, "reply quota=7/1h", "ada", "they write more", "in force");

    app.load.publishTimes("carl", "reply", 9);
    eventually(() -> assertThat(verdicts("carl")).hasSize(9));
    assertThat(verdicts("carl")).filteredOn("allowed"::equals).hasSize(7);

    page.reload();
    page.press(rule("post"), "Change post");
    page.fill(rule("post"), "quota", "4/1h");
    page.press(rule("post"), "Preview");
    page.shows(rule("post") + " .proposal", "→ 4 in 1 h");
    assertThat(page.browser.run("return document.querySelector('.proposal [name=by]').value"))
        .as("who made the last change")
        .isEqualTo("ada");
  }

  @Test
  void aUserIsBlockedFromHerAnswerAndTheBlockIsUndoneFromTheHistory() {
    page.lookUp("eve");
    page.shows(known("post"), "Allowed: 3 of 3 left.");
    page.press(known("post"), "Block");
    page.press(known("post"), "Preview");
    page.shows(known("post") + " .proposal", "metered → denied", "for userId=eve");
    page.fill(known("post") + " .proposal", "note", "spam");
    page.press(known("post") + " .proposal", "Block");
    page.shows(known("post") + " .verdict", "Blocked until ", ": spam");
    page.shows(known("post") + " .reasons", "until", "for userId=eve", "spam");
    page.shows("#look .own-history", "Changes for this key", "post block, in force", "spam");
    page.picture("#look-title", 900, "page-user");
    app.load.publishTimes("eve", "post", 1);
    eventually(() -> assertThat(verdicts("eve")).containsExactly("rejected denied"));

    page.shows(NEWEST, "post block", "for userId eve", "spam", "in force");
    page.press(NEWEST, "Undo");
    page.shows("#history-proposal .proposal", "post");
    page.press("#history-proposal", "Undo it");
    page.shows("#history-proposal .done", "Published");
    page.shows(known("post") + " .verdict", "Allowed");
    app.load.publishTimes("eve", "post", 1);
    eventually(() -> assertThat(verdicts("eve")).containsExactly("allowed", "rejected denied"));
    page.shows(NEWEST, "ended");
  }

  @Tag("full") // one of several changes in a browser
  @Test
  void sheHasMoreIsExemptAndBeginsAnew() {
    app.load.publishTimes("zoe", "dm", 3);
    page.lookUp("zoe");
    page.shows(
        known("dm") + " .verdict", "Rejected: all 2 are used.", "The next event is allowed in");
    page.press(known("dm"), "Change the limit");
    page.fill(known("dm"), "quota", "5/1h");
    page.press(known("dm"), "Preview");
    page.press(known("dm") + " .proposal", "Publish");
    page.shows(known("dm") + " .verdict", "Allowed: 3 of 5 left.");
    page.shows(known("dm"), "from a change for this key only");
    page.press(known("dm"), "Reset usage");
    page.press(known("dm") + " .proposal", "Reset usage");
    page.shows(known("dm") + " .verdict", "Allowed: 5 of 5 left.");
    page.press(known("dm"), "Remove override");
    page.press(known("dm") + " .proposal", "Remove override");
    page.shows(known("dm") + " .verdict", "of 2 left.");
    page.press("#look > .acts", "Exempt");
    page.press("#look > .acts", "Preview");
    page.press("#look > .acts .proposal", "Exempt");
    page.shows(known("dm") + " .verdict", "Exempt");
    page.shows(known("reply") + " .verdict", "Exempt");
  }

  @Tag("full") // one of several changes in a browser
  @Test
  void aChangeIsPlannedAndTakenBack() {
    page.press(rule("dm"), "Change dm");
    page.fill(rule("dm"), "quota", "20/1h");
    page.fill(rule("dm"), "begins", "3600");
    page.fill(rule("dm"), "ends", "86400");
    page.press(rule("dm"), "Preview");
    page.press(rule("dm") + " .proposal", "Publish");
    page.shows(rule("dm"), "Planned: change", "2 in 1 h");
    page.fill("#history-form", "limit", "dm");
    page.shows(NEWEST, "dm quota=20/1h", "until", "planned");
    page.press(NEWEST, "Undo");
    page.press("#history-proposal", "Undo it");
    eventually(() -> assertThat(page.browser.text("#history-table")).doesNotContain("quota=20/1h"));
    eventually(() -> assertThat(page.browser.text(rule("dm"))).doesNotContain("Planned"));
  }

  @Test
  void aSettingGoesBackForAnHourAndTheEndIsShown() throws Exception {
    new Asks(instance)
        .put(
            "/api/limits/reply",
            "{\"set\":{\"redis.unavailable\":\"reject\"},\"at\":\"now\",\"by\":\"ada\"}");
    page.shows(rule("reply"), "Changed at");
    page.press(rule("reply"), "Change reply");
    page.fill(rule("reply"), "redis.unavailable", "");
    page.fill(rule("reply"), "ends", "3600");
    page.press(rule("reply"), "Preview");
    page.shows(rule("reply") + " .proposal", "reply", ", until 2");
  }

  static Stream<Arguments> hostileTexts() {
    String script = "<script>document.title='gone'</script>";
    String image = "<img src=x onerror=\"document.title='gone'\">";
    return Servers.variants(
        Arguments.of(script, script),
        Arguments.of(image, image),
        Arguments.of("\u202Eevil -> good", "\\u202eevil -> good"));
  }

  @ParameterizedTest
  @MethodSource("hostileTexts")
  void whatPeopleWriteIsText(String hostile, String shown) {
    page.lookUp(hostile);
    page.shows(
        "#look .own-history code", "--for 'userId=" + shown.replace("'", "'\\''").split("\"")[0]);
    page.press("#look > .acts", "Exempt");
    page.press("#look > .acts", "Preview");
    page.fill("#look > .acts .proposal", "by", hostile);
    page.fill("#look > .acts .proposal", "note", hostile + "W".repeat(900));
    page.press("#look > .acts .proposal", "Exempt");
    page.shows(NEWEST, "every limit exempt", "for userId " + shown, shown + "WWW");
    page.shows(known("post") + " .reasons", "by " + shown);
    assertThat(page.browser.run("return document.querySelectorAll('main script, main img').length"))
        .isEqualTo(0L);
    assertThat(page.browser.driver.getTitle()).isEqualTo("Sluice");
    page.everybodyCanReadIt();
  }

  @Tag("full") // one of several changes in a browser
  @Test
  void theKeyboardIsEnoughForAChange() {
    reach("Change dm");
    page.browser.press(Keys.ENTER);
    eventually(() -> assertThat(focused()).isEqualTo("quota"));
    page.browser.press("3/1h", Keys.ENTER); // replaces the selected value
    page.shows(rule("dm") + " .proposal", "→ 3 in 1 h");
    eventually(() -> assertThat(focused()).contains("Preview"));
    reach("by");
    page.browser.press(Keys.END, Keys.BACK_SPACE.toString().repeat(20), "kim");
    reach("Publish");
    page.browser.press(Keys.ENTER);
    page.shows(rule("dm") + " .done", "Published");
    eventually(() -> assertThat(focused()).contains("Published"));
    page.shows(rule("dm"), "3 in 1 h", "by kim");
  }

  private String focused() {
    return (String)
        page.browser.run(
            "const at = document.activeElement; return at.name || at.textContent.trim()");
  }

  private void reach(String what) {
    for (int i = 0; i < 60 && !focused().equals(what); i++) page.browser.tab();
    assertThat(focused()).isEqualTo(what);
  }

  @Tag("full") // axe-core reads whole pages
  @ParameterizedTest
  @MethodSource("io.sluice.server.web.OpenPage#appearances")
  void everybodyCanReadIt(int width, String scheme) {
    page.open(instance, width, scheme);
    page.press(rule("post"), "Change post");
    page.fill(rule("post"), "quota", "none");
    page.press(rule("post"), "Preview");
    page.shows(rule("post") + " .mistakes", "quota");
    page.everybodyCanReadIt();
    page.fill(rule("post"), "quota", "30/1h");
    page.fill(rule("post"), "begins", "time");
    page.fill(rule("post"), "begins-at", "2031-11-29T08:00");
    page.press(rule("post"), "Preview");
    page.shows(rule("post") + " .proposal", "→ 30 in 1 h");
    page.lookUp("ann");
    page.press(known("dm"), "Block");
    page.press(known("dm"), "Preview");
    page.shows(known("dm") + " .proposal", "for userId=ann");
    page.everybodyCanReadIt();
    page.browser.run("document.querySelector('#rules-title').scrollIntoView()");
    page.browser.picture("edit-" + width + "-" + scheme);
  }
}
