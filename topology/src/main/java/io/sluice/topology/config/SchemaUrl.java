package io.sluice.topology.config;

import io.sluice.rules.event.Keys;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;

/** Validation of a schema registry's URL. */
final class SchemaUrl {
  private static final Set<String> SCHEMES = Set.of("http", "https");

  private SchemaUrl() {}

  /**
   * Checks the URL and returns it without slashes at its end.
   *
   * @throws IllegalArgumentException if the URL is invalid or contains a user
   */
  static String checked(String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("such as http://localhost:8081", e);
    }
    boolean http = uri.getScheme() != null && SCHEMES.contains(uri.getScheme());
    if (!http || uri.getHost() == null || uri.getQuery() != null || uri.getFragment() != null) {
      throw new IllegalArgumentException("such as http://localhost:8081");
    }
    if (uri.getUserInfo() != null) {
      throw new IllegalArgumentException(
          "user and password go into " + Keys.SCHEMAS_USER + " and .password");
    }
    return text.replaceAll("/+$", "");
  }
}
