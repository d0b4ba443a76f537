package io.sluice.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.provider.Arguments;

/** The page of an instance, open in a browser, and what people do with it. */
final class OpenPage implements AutoCloseable {
  final Browser browser = Browser.shared();
  private URI address;

  /** Widths and color schemes in which all of it must be readable. */
  static Stream<Arguments> appearances() {
    return Servers.variants(
        Arguments.of(1200, "light"),
        Arguments.of(1200, "dark"),
        Arguments.of(360, "light"),
        Arguments.of(360, "dark"));
  }

  /** Opens it, as wide and as bright as it is looked at. */
  void open(URI instance, int width, String scheme) {
    address = instance.resolve("/");
    browser.size(width, 1400);
    browser.prefers(scheme);
    reload();
  }

  void reload() {
    browser.open(address);
    shows("#health", "All is well");
  }

  static void eventually(ThrowingCallable assertion) {
    await().atMost(Duration.ofMinutes(1)).ignoreExceptions().untilAsserted(assertion::call);
  }

  /** Returns when all of these are to be read there. */
  void shows(String css, String... texts) {
    eventually(() -> assertThat(browser.text(css)).contains(texts));
  }

  void hasNone(String css) {
    eventually(() -> assertThat(browser.texts(css)).isEmpty());
  }

  /** Presses a button with this text, when it is there. */
  void press(String within, String button) {
    eventually(
        () ->
            assertThat(
                    browser.run(
                        """
                        const found = [...document.querySelectorAll(arguments[0] + ' button')]
                          .filter((each) => !each.disabled
                            && (each.ariaLabel ?? each.textContent).startsWith(arguments[1]))
                          .find((each) => {
                            each.closest('details')?.setAttribute('open', ''); // as people do
                            return each.checkVisibility();
                          });
                        found?.click();
                        return found !== undefined;
                        """,
                        within,
                        button))
                .isEqualTo(true));
  }

  /** Types into a field, or chooses from it, in place of what is there. */
  void fill(String within, String name, String value) {
    eventually(
        () ->
            assertThat(
                    browser.run(
                        """
                        const field = document.querySelector(arguments[0] + ` [name="${arguments[1]}"]`);
                        field.value = arguments[2];
                        field.dispatchEvent(new Event('input', { bubbles: true }));
                        field.dispatchEvent(new Event('change', { bubbles: true }));
                        return field.value;
                        """,
                        within,
                        name,
                        value))
                .isEqualTo(value));
  }

  /** Looks a user up, and returns when there are answers. */
  void lookUp(String user) {
    fill("#look-form", "userId", user);
    press("#look-form", "Look up");
    shows("#look .verdict", "");
  }

  /** The card of a limit that is in force. */
  static String rule(String limit) {
    return "#rules .card[data-limit=\"" + limit + "\"]";
  }

  /** The card of a limit in what is known of a user. */
  static String known(String limit) {
    return "#look .card[data-limit=\"" + limit + "\"]";
  }

  /** The chart of a limit. */
  static String chart(String limit) {
    return "#charts .card[data-limit=\"" + limit + "\"]";
  }

  /** The row of what changed that is the newest. */
  static final String NEWEST = "#history-table tbody tr:first-child";

  /** What a screen reader says of a chart. */
  Object saysOf(String limit) {
    return browser.run(
        "return document.querySelector(arguments[0] + ' .chart').ariaLabel", chart(limit));
  }

  /** Returns when another step of the charts has begun. */
  void awaitNextStep() {
    long step = step();
    eventually(() -> assertThat(step()).isGreaterThan(step));
  }

  private long step() {
    return System.currentTimeMillis() / Duration.ofSeconds(10).toMillis();
  }

  /** Nothing that axe-core knows keeps anybody from it, and nothing scrolls sideways. */
  void everybodyCanReadIt() {
    assertThat(browser.barriers()).isEmpty();
    List<String> wide = wide();
    assertThat(wide).as("what is wider than the page").isEmpty();
  }

  @SuppressWarnings("unchecked")
  private List<String> wide() {
    return (List<String>)
        browser.run(
            """
            const page = document.documentElement;
            return page.scrollWidth === page.clientWidth ? [] : [...document.querySelectorAll('main *')]
              .filter((each) => each.getBoundingClientRect().right > page.clientWidth)
              .map((each) => each.outerHTML.slice(0, 200));
            """);
  }

  /** Leaves a picture of this and what is below it. */
  void picture(String css, int height, String name) {
    browser.size(1200, height);
    browser.run("document.querySelector(arguments[0]).scrollIntoView()", css);
    browser.picture(name);
  }

  @Override
  public void close() {
    browser.close();
  }
}
