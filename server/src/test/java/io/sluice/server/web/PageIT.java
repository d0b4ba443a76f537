package io.sluice.server.web;

import static io.sluice.server.web.OpenPage.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.App;
import io.sluice.testing.Servers;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;

/** Tests of the page of a running instance in a real browser. */
@Tag("slow") // twelve tests of the page in a browser
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PageIT {
  private static final List<String> HOSTILE =
      List.of(
          "<script>document.title='gone'</script>",
          "<img src=x onerror=\"document.title='gone'\">",
          "</td></tr></table><h1>'\"&lt;",
          "javascript:alert(1)",
          "\u202Eevil\u0007");

  /** Texts of {@link #HOSTILE} as the page shows them. */
  private static final List<String> SHOWN =
      Stream.concat(HOSTILE.stream().limit(4), Stream.of("\\u202eevil\\u0007")).toList();

  private static final String LONG_NAME =
      "sluice-0.sluice-headless.a-namespace-with-a-long-name.svc.cluster-of-tests.example.org";

  /** Script that replaces the instance's readiness message by a very long one. */
  private static final String NOT_READY =
      """
      const Real = EventSource;
      window.EventSource = class extends Real {
        set onmessage(listener) {
          const says = '"says":"no broker has answered since 2026-11-25T20:00:00Z, for 12 s, at NAME"';
          super.onmessage = ({ data }) => listener({ data: data.replace(/"says":"[^"]*"/, says) });
        }
      };
      """
          .replace("NAME", LONG_NAME);

  private Browser browser;
  private App app;
  private URI page;

  @BeforeAll
  void start() throws Exception {
    browser = Browser.shared();
    app =
        new App(
            Servers.shared(),
            "sluice.limits=reply,post,sms,call",
            "sluice.limit.reply.match.action=reply",
            "sluice.limit.reply.quota=5/1h",
            "sluice.limit.reply.backend=redis",
            "sluice.limit.post.match.action=post",
            "sluice.limit.post.quota=3/1h",
            "sluice.limit.sms.match.action=sms",
            "sluice.limit.sms.quota=1/1h",
            "sluice.limit.sms.exceeded=delay",
            "sluice.limit.sms.delay.max=10h",
            "sluice.limit.call.match.action=call",
            "sluice.limit.call.quota=1/1h",
            "sluice.limit.call.exceeded=queue",
            "sluice.topics.partitions=2",
            "sluice.http.advertised=" + LONG_NAME + ":9464",
            "sluice.http.port=0");
    page = app.sluice.httpAddress().orElseThrow().resolve("/");
    app.load.publishTimes("ada", "reply", 20);
    app.load.publishTimes("bob", "sms", 4);
    app.load.publishTimes("joe", "call", 3);
    for (int i = 0; i < HOSTILE.size(); i++) {
      app.load.publishTimes(
          HOSTILE.get(i).replace("\"", "\\\"").replace("\u0007", "\\u0007"), "post", 5 + i);
    }
    app.load.published();
  }

  @AfterAll
  void stop() {
    if (browser != null) browser.close();
    if (app != null) app.close();
  }

  @BeforeEach
  void open() {
    browser.size(1200, 1400);
    browser.prefers("light");
    browser.open(page);
    eventually(() -> assertThat(rows()).hasSizeGreaterThan(HOSTILE.size()));
  }

  private List<String> rows() {
    return browser.texts("#top-table tbody tr");
  }

  @Test
  @Order(1)
  void showsWhatWasPublished() {
    eventually(() -> assertThat(browser.text("#health")).isEqualTo("Healthy"));
    assertThat(rows()).first().isEqualTo("ada reply 15");
    eventually(
        () ->
            assertThat(labels())
                .containsExactly(
                    "call, the last 15 minutes: 1 allowed, 0 rejected, 2 delayed",
                    "post, the last 15 minutes: 15 allowed, 20 rejected, 0 delayed",
                    "reply, the last 15 minutes: 5 allowed, 15 rejected, 0 delayed",
                    "sms, the last 15 minutes: 1 allowed, 0 rejected, 3 delayed"));
    assertThat(browser.texts("#charts h3")).containsExactly("call", "post", "reply", "sms");
    assertThat(browser.text("#now")).contains("Delayed events\n5", "Redis\navailable");
    assertThat(browser.text("#now")).containsPattern("In line\n2\nOldest in line\n[0-9]");
    app.load.publishTimes("eve", "reply", 26);
    eventually(() -> assertThat(rows()).first().isEqualTo("eve reply 21"));
    app.load.publishTimes("eve", "reply", 4);
    eventually(() -> assertThat(rows()).first().isEqualTo("eve reply 25"));
    browser.run("document.querySelector('[name=by]').value = 'delayed'");
    browser.run(
        "document.querySelector('[name=by]').dispatchEvent(new Event('change', {bubbles: true}))");
    eventually(() -> assertThat(rows()).containsExactly("bob sms 3", "joe call 2"));
  }

  /** Texts of the charts for screen readers. */
  private List<String> labels() {
    return browser.driver.findElements(By.cssSelector(".chart")).stream()
        .map(chart -> chart.getDomAttribute("aria-label"))
        .toList();
  }

  @Test
  @Order(2)
  void whatComesFromOutsideIsText() {
    assertThat(browser.texts("#top-table tbody button")).containsAll(SHOWN);
    for (int i = 0; i < HOSTILE.size(); i++) {
      browser.run(
          "[...document.querySelectorAll('#top-table button')]"
              + ".find((button) => button.textContent === arguments[0]).click()",
          SHOWN.get(i));
      String text = "userId " + SHOWN.get(i);
      eventually(() -> assertThat(browser.text("#look p")).isEqualTo(text));
      eventually(() -> assertThat(browser.texts("#look .card h3")).containsExactly("post"));
      assertThat(browser.run("return document.querySelector('[name=userId]').value"))
          .isEqualTo(HOSTILE.get(i));
    }
    assertThat(browser.run("return document.querySelectorAll('main script, main img').length"))
        .isEqualTo(0L);
    assertThat(browser.driver.getTitle()).isEqualTo("Sluice");
  }

  @Test
  @Order(2)
  void whatIsKnownOfAKeyIsOneClickAway() {
    browser.run(
        "[...document.querySelectorAll('#top-table button')]"
            + ".find((button) => button.textContent === 'ada').click()");
    eventually(() -> assertThat(known("remaining")).isEqualTo("0"));
    assertThat(known("verdict")).isEqualTo("rejected");
    assertThat(browser.texts("#rules .quota")).hasSize(4).first().asString().contains("5 in");
    assertThat(browser.text(OpenPage.known("reply")))
        .contains("Rejected: all 5 are used.", "0 of 5");
    assertThat(browser.texts("#instances summary")).containsExactly("Instances: 1");
  }

  @Test
  @Order(2)
  void theLineOfAKeyIsShownWithAnEstimate() {
    browser.run("document.querySelector('[name=userId]').value = 'joe'");
    browser.run("document.querySelector('#look-form').requestSubmit()");
    eventually(
        () ->
            assertThat(browser.text(OpenPage.known("call")))
                .contains("Delayed")
                .containsPattern("2 in line, the first since .*; it leaves at about .*estimate"));
    eventually(() -> assertThat(browser.texts("#look .waiting-events li")).hasSize(2));
    assertThat(browser.texts("#look .waiting-events button")).isEmpty();
  }

  @Test
  @Order(2)
  void nothingCanBeChangedWhereWritingIsDisabled() {
    browser.run("document.querySelector('#top-table button').click()");
    eventually(() -> assertThat(browser.texts("#look .card .known")).isNotEmpty());
    eventually(
        () -> assertThat(browser.text("#cannot-write")).contains("set sluice.http.write=true"));
    eventually(() -> assertThat(browser.text("#history-note")).isEqualTo("No changes yet."));
    List<String> buttons =
        browser.texts("button").stream().filter(each -> !each.isEmpty()).toList();
    assertThat(buttons).hasSizeGreaterThan(1).doesNotContain("Undo", "Block");
    assertThat(buttons).noneMatch(each -> each.startsWith("Change"));
  }

  private Object known(String name) {
    return browser.run(
        "return [...document.querySelectorAll('#look dt')]"
            + ".find((term) => term.textContent === arguments[0])?.nextSibling.textContent",
        name);
  }

  @Tag("full") // one of several ways to use the page in a browser
  @Test
  @Order(3)
  void theKeyboardIsEnough() {
    List<String> reached = new ArrayList<>();
    for (int i = 0; i < 12 && !reached.contains("ada"); i++) {
      browser.press(Keys.TAB);
      reached.add(focused());
    }
    assertThat(reached)
        .containsSubsequence("Skip to the most throttled keys", "userId", "limit", "by", "ada");
    browser.press(Keys.ENTER);
    eventually(() -> assertThat(focused()).isEqualTo("Look up a user"));
    eventually(() -> assertThat(browser.texts("#look .card h3")).containsExactly("reply"));
    browser.press(Keys.TAB);
    assertThat(focused()).isEqualTo("userId");
    browser.press("bob", Keys.ENTER); // replaces the selected value
    eventually(() -> assertThat(browser.text("#look p")).isEqualTo("userId bob"));
  }

  private String focused() {
    return (String)
        browser.run("const at = document.activeElement; return at.name || at.textContent.trim()");
  }

  @Test
  @Order(4)
  void theFocusStaysWhereItIsWhenNumbersChange() {
    browser.run(
        "[...document.querySelectorAll('#top-table button')].find((b) => b.textContent === 'bob')"
            + "?.focus() ?? document.querySelector('#top-table button').focus()");
    String before = focused();
    app.load.publishTimes("zoe", "reply", 200);
    eventually(() -> assertThat(rows()).first().isEqualTo("zoe reply 195"));
    assertThat(focused()).isEqualTo(before);
  }

  @ParameterizedTest
  @Order(5)
  @MethodSource("io.sluice.server.web.OpenPage#appearances")
  void everybodyCanReadIt(int width, String scheme) {
    browser.size(width, 1400);
    browser.prefers(scheme);
    browser.open(page);
    eventually(() -> assertThat(rows()).hasSizeGreaterThan(HOSTILE.size()));
    eventually(() -> assertThat(labels()).hasSize(4));
    browser.run("document.querySelector('#top-table button').click()");
    eventually(() -> assertThat(browser.texts("#look .card")).isNotEmpty());
    assertThat(browser.barriers()).isEmpty();
    assertThat(
            browser.run(
                "const page = document.documentElement; return page.scrollWidth -"
                    + " page.clientWidth"))
        .as("what scrolls sideways")
        .isEqualTo(0L);
    boolean dark =
        (boolean)
            browser.run(
                "return getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0] < 128");
    assertThat(dark).isEqualTo(scheme.equals("dark"));
    browser.run("scrollTo(0, 0)");
    browser.picture("page-" + width + "-" + scheme);
  }

  @Test
  @Order(5)
  void aLongNameOfAnInstanceMakesNothingTall() {
    browser.run("document.querySelector('#instances details').open = true");
    eventually(() -> assertThat(browser.text("#instances tbody")).contains(LONG_NAME));
    assertThat(heights("#instances tbody tr")).allMatch(height -> height < 90);
    browser.picture("page-instances");
    Object script =
        browser
            .driver
            .executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", NOT_READY))
            .get("identifier");
    browser.open(page);
    eventually(() -> assertThat(browser.text("#now")).contains(LONG_NAME));
    browser.driver.executeCdpCommand(
        "Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", script));
    assertThat(heights("#now > div")).allMatch(height -> height < 110);
    browser.picture("page-not-ready");
  }

  @SuppressWarnings("unchecked")
  private List<Long> heights(String css) {
    return (List<Long>)
        browser.run(
            "return [...document.querySelectorAll(arguments[0])].map((each) => each.clientHeight)",
            css);
  }

  @Test
  @Order(5)
  void onAPhoneWhatIsAskedFirstIsOnTopAndTheRestIsFolded() {
    browser.size(360, 640);
    browser.open(page);
    eventually(() -> assertThat(rows()).hasSizeGreaterThan(HOSTILE.size()));
    assertThat((Long) browser.run("return document.documentElement.scrollHeight"))
        .isLessThan(1_500);
    assertThat(
            (Boolean)
                browser.run(
                    "return document.querySelector('#look-form').getBoundingClientRect().bottom <"
                        + " 640"))
        .isTrue();
    assertThat(browser.text("#charts")).isEmpty();
    browser.run("document.querySelector('#charts-title').click()");
    eventually(() -> assertThat(labels()).hasSize(4));
    assertThat(browser.text("#charts")).contains("reply");
    assertThat((Long) browser.run("return document.querySelector('.u-wrap').clientWidth"))
        .isGreaterThan(200);
    browser.run("document.querySelector('#top-table button').click()");
    eventually(() -> assertThat(browser.texts("#look .card")).isNotEmpty());
    browser.picture("page-phone");
  }

  @Test
  @Order(6)
  @SuppressWarnings("unchecked")
  void nothingIsLoadedFromElsewhere() {
    List<String> loaded =
        (List<String>)
            browser.run("return performance.getEntriesByType('resource').map((each) => each.name)");
    assertThat(loaded).hasSizeGreaterThan(5).allMatch(each -> each.startsWith(page.toString()));
    assertThat(
            browser.run("return fetch('http://127.0.0.1:1/').then(() => 'sent', (e) => String(e))"))
        .isEqualTo("TypeError: Failed to fetch");
    assertThat(browser.driver.manage().logs().get("browser").getAll())
        .anyMatch(each -> each.getMessage().contains("Content Security Policy"));
  }

  @Test
  @Order(7)
  void saysWhenTheInstanceIsGone() {
    eventually(() -> assertThat(browser.text("#health")).isEqualTo("Healthy"));
    app.sluice.close();
    eventually(() -> assertThat(browser.text("#health")).contains("the connection is lost"));
  }
}
