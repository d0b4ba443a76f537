package io.sluice.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Paths that the HTTP server knows, and the parsing of paths and parameters. */
final class Paths {
  static final String METRICS = "/metrics";
  static final String LIVE = "/health/live";
  static final String READY = "/health/ready";
  static final String API = "/api";
  static final String SESSION = "/session";

  private Paths() {}

  static boolean isApi(String path) {
    return isAtOrBelow(path, API);
  }

  static boolean isAtOrBelow(String path, String other) {
    return path.equals(other) || path.startsWith(other + "/");
  }

  /**
   * Returns the URL-decoded segments of a request's path that follow a prefix.
   *
   * @throws IllegalArgumentException if a segment cannot be decoded
   */
  static List<String> below(String path, String prefix) {
    List<String> parts = new ArrayList<>();
    if (path.length() <= prefix.length() + 1) return parts;
    for (String part : path.substring(prefix.length() + 1).split("/", -1)) {
      parts.add(decoded(part.replace("+", "%2B")));
    }
    return parts;
  }

  /**
   * Parses the parameters of a query or a form.
   *
   * @throws IllegalArgumentException if a parameter cannot be decoded or is there twice; the
   *     message says so in one line
   */
  static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String each : query.split("&", -1)) {
      if (each.isEmpty()) continue;
      int equals = each.indexOf('=');
      String name = decoded(equals < 0 ? each : each.substring(0, equals));
      String value = equals < 0 ? "" : decoded(each.substring(equals + 1));
      if (parameters.put(name, value) != null) {
        throw new IllegalArgumentException("a parameter occurs twice; each may occur once");
      }
    }
    return parameters;
  }

  /**
   * Decodes a percent-encoded text and refuses bad UTF-8, since replaced characters could make two
   * user ids equal.
   */
  private static String decoded(String text) {
    String decoded = URLDecoder.decode(text, UTF_8);
    if (decoded.indexOf('\uFFFD') >= 0
        && !text.toUpperCase(java.util.Locale.ROOT).contains("%EF%BF%BD")) {
      throw new IllegalArgumentException("percent-encoded bytes must be UTF-8");
    }
    return decoded;
  }
}
