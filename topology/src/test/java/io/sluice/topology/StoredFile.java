package io.sluice.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A file of what releases have stored, byte by byte. */
public final class StoredFile {
  private StoredFile() {}

  /** Its lines: a name and what is stored. */
  public static Map<String, String> lines(String name) {
    Map<String, String> lines = new LinkedHashMap<>();
    String path = "/io/sluice/topology/stored/" + name + ".txt";
    try (InputStream in = StoredFile.class.getResourceAsStream(path)) {
      for (String line : new String(in.readAllBytes(), UTF_8).split("\n")) {
        String[] pair = line.split(" ", 2);
        lines.put(pair[0], pair[1]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }
}
