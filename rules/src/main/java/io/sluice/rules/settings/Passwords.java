package io.sluice.rules.settings;

import io.sluice.rules.event.Keys;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides passwords in addresses, even malformed ones, for logs and messages. */
public final class Passwords {
  private static final String HIDDEN = "...";

  /** Scheme of an address. The slashes may be missing after schemes that Sluice reads. */
  private static final Pattern SCHEME =
      Pattern.compile("(?i)\\s*(?:(?:rediss?(?:-sentinel)?|https?):/*|[a-z][a-z0-9+.-]*://+)");

  private static final Pattern PASSWORD_PARAMETER =
      Pattern.compile("(?i)([?&][^?&=]*pass[^=&]*=)[^&]*");

  /** Any parameter of an address except a well-formed name of a Redis master or a Sentinel user. */
  private static final Pattern PARAMETER =
      Pattern.compile(
          "(?s)([?&])(?!(?:master|sentinel-user)=[A-Za-z0-9._-]*(?:&|\\z))([^?&=]*=)?[^&]*");

  /**
   * Colon that begins no port, with the text after it. References to config providers and IPv6
   * addresses do not match.
   */
  private static final Pattern AFTER_COLON =
      Pattern.compile(
          "(\\$\\{[^}]*\\}|\\[[0-9A-Fa-f:.]*\\])|:(?![0-9]{1,5}(?:[,/]|\\z))(?s:.*?)(?=\\$\\{|\\z)");

  private Passwords() {}

  /** Whether a key's value is an address that may contain a password. */
  static boolean isUri(String key) {
    return key.equals(Keys.REDIS_URI) || key.equals(Keys.SCHEMAS_URL) || key.endsWith(".url");
  }

  /** Hides passwords in any value, which may be an address. */
  public static String hiddenIn(String text) {
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

  /**
   * Hides everything in an invalid address that may be a password, since its position is unknown.
   */
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

  /**
   * Hides user and password in the host part of an address, even if a question mark in them splits
   * the address.
   */
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
