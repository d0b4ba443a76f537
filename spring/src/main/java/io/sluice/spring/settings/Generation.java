package io.sluice.spring.settings;

import java.util.List;
import org.springframework.boot.SpringBootVersion;

/** The generations of Spring Boot that limits are tested with. */
public final class Generation {
  private static final List<String> TESTED = List.of("3.5", "4.0", "4.1");

  private Generation() {}

  /**
   * Refuses any other.
   *
   * @throws LimitMistakesException naming those that are accepted
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

  /** Refuses any other than these. */
  public static void check() {
    check(SpringBootVersion.getVersion());
  }
}
