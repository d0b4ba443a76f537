package io.sluice.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.Servers;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.provider.Arguments;

/** Page of an instance, open in a browser, with the actions of its users. */
final class OpenPage implements AutoCloseable {
  final Browser browser = Browser.shared();
  private URI address;

  /** Widths and color schemes in which the whole page must be readable. */
  static Stream<Arguments> appearances() {
    return Servers.variants(
        Arguments.of(1200, "light"),
        Arguments.of(1200, "dark"),
        Arguments.of(360, "light"),
        Arguments.of(360, "dark"));
  }

  /** Opens the page with a width and a color scheme. */
  void open(URI instance, int width, String scheme) {
    address = instance.resolve("/");
    browser.size(width, 1400);
    browser.prefers(scheme);
    reload();
  }

  void reload() {
    browser.open(address);
    shows("#health", "Healthy");
  }

  static void eventually(ThrowingCallable assertion) {
    await().atMost(Duration.ofMinutes(1)).ignoreExceptions().untilAsserted(assertion::call);
  }

  /** Waits until an element shows all of these texts. */
  void shows(String css, String... texts) {
    eventually(() -> assertThat(browser.text(css)).contains(texts));
  }

  void hasNone(String css) {
    eventually(() -> assertThat(browser.texts(css)).isEmpty());
  }

  /** Waits for a button with this text and presses it. */
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

  /** Replaces the value of a field, or chooses an option. */
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

  /** Looks up a user and waits for the answers. */
  void lookUp(String user) {
    fill("#look-form", "userId", user);
    press("#look-form", "Look up");
    shows("#look .verdict", "");
  }

  /** Selector of the card of a limit in force. */
  static String rule(String limit) {
    return "#rules .card[data-limit=\"" + limit + "\"]";
  }

  /** Selector of the card of a limit in the answers about a user. */
  static String known(String limit) {
    return "#look .card[data-limit=\"" + limit + "\"]";
  }

  /** Selector of the chart of a limit. */
  static String chart(String limit) {
    return "#charts .card[data-limit=\"" + limit + "\"]";
  }

  /** Selector of the newest row in the history. */
  static final String NEWEST = "#history-table tbody tr:first-child";

  /** Text of a chart for screen readers. */
  Object saysOf(String limit) {
    return browser.run(
        "return document.querySelector(arguments[0] + ' .chart').ariaLabel", chart(limit));
  }

  /** Waits until the next step of the charts begins. */
  void awaitNextStep() {
    long step = step();
    eventually(() -> assertThat(step()).isGreaterThan(step));
  }

  private long step() {
    return System.currentTimeMillis() / Duration.ofSeconds(10).toMillis();
  }

  /** Asserts that axe-core finds no violations, and that the page does not scroll sideways. */
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

  /** Saves a screenshot of an element and the page below it. */
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
