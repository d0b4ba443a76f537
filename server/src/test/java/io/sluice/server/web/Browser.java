package io.sluice.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;

/** Headless Chromium, shared by all tests of a JVM. It saves screenshots in target/page. */
final class Browser implements AutoCloseable {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final String AXE = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";
  private static final Path PICTURES = Path.of("target", "page");
  private static final Logger LOG = Logger.getLogger("org.openqa.selenium");

  /** Script that makes the page request data five times as often as its two to five seconds. */
  private static final String SOONER =
      """
      const later = setTimeout;
      window.setTimeout = (task, ms, ...rest) => later(task, ms >= 1000 ? ms / 5 : ms, ...rest);
      """;

  private static final String SHOWN =
      """
      const shown = (element) => element.checkVisibility({ visibilityProperty: true })
        ? element.innerText.replace(/[ \\t\\u00a0]+/g, ' ').trim() : '';
      """;

  private static Browser shared;

  final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /**
   * Returns the browser, 1200 pixels wide and without cookies, independent of the previous test;
   * skips the test if Chromium is not installed.
   */
  static synchronized Browser shared() {
    if (shared == null) {
      shared = start();
      Runtime.getRuntime().addShutdownHook(new Thread(shared.driver::quit));
    }
    shared.size(1200, 1400);
    shared.prefers("light");
    shared.driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
    return shared;
  }

  private static Browser start() {
    assumeTrue(
        Files.exists(CHROMIUM) && Files.exists(DRIVER),
        "the page is not tested: install chromium and chromium-driver");
    LOG.setLevel(Level.SEVERE);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toFile());
    options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars");
    options.setCapability("goog:loggingPrefs", Map.of("browser", "ALL"));
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(DRIVER.toFile())
            .usingAnyFreePort()
            .build();
    ChromeDriver driver = new ChromeDriver(service, options);
    driver.manage().timeouts().scriptTimeout(Duration.ofMinutes(1));
    driver.executeCdpCommand("Page.addScriptToEvaluateOnNewDocument", Map.of("source", SOONER));
    return new Browser(driver);
  }

  void open(URI page) {
    driver.get(page.toString());
  }

  /** Returns the visible text of the first matching element; fails if there is none. */
  String text(String css) {
    return shown("return shown(document.querySelector(arguments[0]));", css);
  }

  /** Returns the visible text of each matching element; empty for a hidden one. */
  List<String> texts(String css) {
    return shown("return [...document.querySelectorAll(arguments[0])].map(shown);", css);
  }

  /** Runs one script for the whole query, so that the page cannot replace an element meanwhile. */
  @SuppressWarnings("unchecked")
  private <T> T shown(String script, String css) {
    return (T) run(SHOWN + script, css);
  }

  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  void press(CharSequence... keys) {
    new Actions(driver).sendKeys(keys).perform();
  }

  void tab() {
    press(Keys.TAB);
  }

  void size(int width, int height) {
    driver.manage().window().setSize(new Dimension(width, height));
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
  }

  /**
   * Sets the preferred color scheme.
   *
   * @param scheme dark or light
   */
  void prefers(String scheme) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  /** Returns the accessibility violations that axe-core finds, a line each. */
  @SuppressWarnings("unchecked")
  List<String> barriers() {
    run(axe());
    return (List<String>)
        driver.executeAsyncScript(
            """
            const done = arguments[0];
            axe.run().then((found) => done(found.violations.map((each) =>
              each.id + ': ' + each.nodes.map((node) => node.html).join(' '))), (e) => done([String(e)]));
            """);
  }

  private static String axe() {
    try (InputStream in = Browser.class.getResourceAsStream(AXE)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void picture(String name) {
    try {
      Files.createDirectories(PICTURES);
      Files.write(PICTURES.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Leaves the page; the browser stays open for the next test. */
  @Override
  public void close() {
    driver.get("about:blank");
  }
}
