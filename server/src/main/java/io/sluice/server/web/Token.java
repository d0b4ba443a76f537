package io.sluice.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Access token, and the cookie that a browser keeps in place of the token. The cookie is a digest:
 * it is the same on all instances and after a restart, and does not reveal the token.
 */
final class Token {
  static final String COOKIE = "sluice-session";
  private static final String ALGORITHM = "HmacSHA256";

  private final byte[] token;
  private final String cookie;

  Token(String token) {
    this.token = digest(token, "token");
    cookie = HexFormat.of().formatHex(digest(token, "cookie"));
  }

  /** Returns the token of a text; empty for an empty text. */
  static Optional<Token> of(String token) {
    return token.isEmpty() ? Optional.empty() : Optional.of(new Token(token));
  }

  private static byte[] digest(String token, String purpose) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(token.getBytes(UTF_8), ALGORITHM));
      return mac.doFinal(purpose.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has " + ALGORITHM, e);
    }
  }

  /**
   * Compares a text with the token in constant time, so that response times do not reveal the
   * token.
   */
  boolean is(String given) {
    return !given.isEmpty() && MessageDigest.isEqual(token, digest(given, "token"));
  }

  boolean isCookie(String given) {
    return MessageDigest.isEqual(cookie.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  /**
   * Value of the Set-Cookie header. The browser keeps the cookie until the browser is closed, sends
   * it to this server only, and hides it from scripts.
   */
  String cookie(boolean secure) {
    return COOKIE
        + "="
        + cookie
        + "; Path=/; HttpOnly; SameSite=Strict"
        + (secure ? "; Secure" : "");
  }
}
