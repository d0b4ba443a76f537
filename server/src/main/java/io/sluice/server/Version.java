package io.sluice.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Version of this build, read from a file that the build writes. */
final class Version {
  private Version() {}

  /**
   * Version of the build and the commit it was built from; the commit is "unknown" if built outside
   * of git.
   */
  static String text() {
    Properties build = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("/io/sluice/server/build.properties")) {
      // A development tool may compile without the Maven step that writes the file with the
      // version.
      if (in == null) return "(unknown version)";
      build.load(new InputStreamReader(in, UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return build.getProperty("version") + " (commit " + build.getProperty("commit") + ")";
  }
}
