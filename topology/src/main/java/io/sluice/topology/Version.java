package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this build, as the build has recorded it. */
final class Version {
  private Version() {}

  /** The version, and the commit from which it was built; "unknown" if that was outside of git. */
  static String text() {
    Properties build = new Properties();
    try (InputStream in =
        Version.class.getResourceAsStream("/io/sluice/topology/build.properties")) {
      // A development tool may compile without the build that writes it.
      if (in == null) return "of no build";
      build.load(new InputStreamReader(in, UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build.getProperty("version") + " (commit " + build.getProperty("commit") + ")";
  }
}
