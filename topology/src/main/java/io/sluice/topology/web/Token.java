package io.sluice.topology.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The token that lets somebody in, and what a browser keeps in its place: a digest, which is the
 * same on all instances and after a restart, and from which the token cannot be told.
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

  /** None of an empty text. */
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

  /** Takes as long whatever is given, so that nobody finds it out letter by letter. */
  boolean is(String given) {
    return !given.isEmpty() && MessageDigest.isEqual(token, digest(given, "token"));
  }

  boolean isCookie(String given) {
    return MessageDigest.isEqual(cookie.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  /**
   * What a browser is told to keep until it is closed: sent to this server alone, and never shown
   * to scripts.
   */
  String cookie(boolean secure) {
    return COOKIE
        + "="
        + cookie
        + "; Path=/; HttpOnly; SameSite=Strict"
        + (secure ? "; Secure" : "");
  }
}
