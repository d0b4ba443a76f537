package io.sluice.spring.settings;

import java.util.List;
import org.springframework.boot.SpringBootVersion;

/** Checks the version of Spring Boot: only tested versions are accepted. */
public final class BootVersionCheck {
  private static final List<String> TESTED = List.of("3.5", "4.0", "4.1");

  private BootVersionCheck() {}

  /**
   * Checks a version of Spring Boot.
   *
   * @throws LimitMistakesException if the version is not tested; the message names the tested
   *     versions
   */
  static void check(String version) {
    if (TESTED.stream().noneMatch(each -> version.startsWith(each + "."))) {
      throw new LimitMistakesException(
          List.of(
              "Spring Boot "
                  + version
                  + ": not tested with this release of Sluice; accepted is "
                  + String.join(", ", TESTED)));
    }
  }

  /** Checks the version of Spring Boot in use. */
  public static void check() {
    check(SpringBootVersion.getVersion());
  }
}
