package io.sluice.server.web;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;

/** Files of the web page, read from the resources in a folder beside this class. */
final class PageFiles {
  private static final String FOLDER = "page/";
  private static final String FIRST = "index.html";
  private static final String NAME = "/[a-z0-9][a-z0-9-]*(\\.[a-z0-9-]+)*\\.[a-z0-9]+";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml",
          "txt", "text/plain; charset=utf-8");

  private PageFiles() {}

  /** Returns the response with the file of a path; empty if there is no such file. */
  static Optional<Answer> at(String path) throws IOException {
    String name = path.equals("/") ? "/" + FIRST : path;
    String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    if (type == null || !name.matches(NAME)) return Optional.empty();
    try (InputStream file = PageFiles.class.getResourceAsStream(FOLDER + name.substring(1))) {
      return file == null
          ? Optional.empty()
          : Optional.of(Answer.of(200, type, file.readAllBytes()));
    }
  }
}
