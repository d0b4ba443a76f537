package io.sluice.topology.config;

import io.sluice.topology.event.Keys;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides passwords in addresses, however these are malformed, for logs and people. */
final class Passwords {
  private static final String HIDDEN = "...";

  /** Of the schemes that Sluice reads, the slashes may be missing. */
  private static final Pattern SCHEME =
      Pattern.compile("(?i)\\s*(?:(?:rediss?(?:-sentinel)?|https?):/*|[a-z][a-z0-9+.-]*://+)");

  private static final Pattern PASSWORD_PARAMETER =
      Pattern.compile("(?i)([?&][^?&=]*pass[^=&]*=)[^&]*");

  /** All parameters except the names of a master and a user. */
  private static final Pattern PARAMETER =
      Pattern.compile(
          "(?s)([?&])(?!(?:master|sentinel-user)=[A-Za-z0-9._-]*(?:&|\\z))([^?&=]*=)?[^&]*");

  /** A colon without a port, and what follows it; references and addresses of IPv6 are kept. */
  private static final Pattern AFTER_COLON =
      Pattern.compile(
          "(\\$\\{[^}]*\\}|\\[[0-9A-Fa-f:.]*\\])|:(?![0-9]{1,5}(?:[,/]|\\z))(?s:.*?)(?=\\$\\{|\\z)");

  private Passwords() {}

  /** Whether the text of a key is an address that may hold a password. */
  static boolean isUri(String key) {
    return key.equals(Keys.REDIS_URI) || key.equals(Keys.SCHEMAS_URL) || key.endsWith(".url");
  }

  /** The text of any key, which may be an address. */
  static String hiddenIn(String text) {
    String scheme = scheme(text);
    int query = query(text, scheme);
    String host = text.substring(scheme.length(), query);
    String parameters = text.substring(query);
    if (scheme.isEmpty()) {
      String open = PASSWORD_PARAMETER.matcher(text).replaceAll("$1" + HIDDEN);
      int at = open.lastIndexOf('@');
      return at > open.indexOf(':') && open.indexOf(':') >= 0 ? HIDDEN + open.substring(at) : open;
    }
    return scheme + hostIn(host, parameters) + hiddenParameters(parameters);
  }

  /** The text of a key that must be an address and is none: the password may be in any place. */
  static String hiddenInBad(String text) {
    String scheme = scheme(text);
    int query = query(text, scheme);
    String parameters = text.substring(query);
    String host = hostIn(text.substring(scheme.length(), query), parameters);
    boolean mayBePassword = !scheme.isEmpty() && !scheme.contains("//") && host.indexOf('@') < 0;
    String open = AFTER_COLON.matcher(host).replaceAll(Passwords::keptOrHidden);
    return scheme + (mayBePassword ? HIDDEN : open) + hiddenParameters(parameters);
  }

  private static String scheme(String text) {
    Matcher scheme = SCHEME.matcher(text);
    return scheme.lookingAt() ? scheme.group() : "";
  }

  private static int query(String text, String scheme) {
    int at = text.indexOf('?', scheme.length());
    return at < 0 ? text.length() : at;
  }

  /** Without a user and password, of which the question mark may be a part. */
  private static String hostIn(String text, String parameters) {
    int at = text.lastIndexOf('@');
    if (at >= 0) return HIDDEN + text.substring(at);
    return parameters.indexOf('@') >= 0 ? HIDDEN : text;
  }

  private static String keptOrHidden(MatchResult found) {
    return found.group(1) == null ? ":" + HIDDEN : Matcher.quoteReplacement(found.group());
  }

  private static String hiddenParameters(String parameters) {
    return PARAMETER
        .matcher(parameters)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    found.group(1) + (found.group(2) == null ? "" : found.group(2)) + HIDDEN));
  }
}
