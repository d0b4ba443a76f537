package io.sluice.rules.revision;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.rules.limit.Limit.Exceeded;
import io.sluice.rules.limit.Limit.KeyMissing;
import io.sluice.rules.settings.LimitTexts;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.StringJoiner;

/** Digest (fingerprint) of the limits that are in force at an instant. For one thread. */
final class Digest {
  /*
   * The text is one line for the order of the limits, one for each limit with all its settings, and
   * one for each scope with the settings of its revisions:
   *
   *   reply,post
   *   reply {algorithm=GCRA, backend=STATE_STORE, ...}
   *   reply {userId,target=shop-7|bob} {quota=...}
   *   * {=} {verdict=pause}
   *   * {userId=eve} {verdict=reject}
   *
   * Settings are in the order of their names, each as its value prints, so that 5/60s and 5/1m are
   * the same. The digest is the sum of the lines' SHA-256, so that their order does not matter:
   * 100,000 lines need not be sorted. Its first 16 bytes are enough.
   */
  private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(256);
  private static final int BYTES = 16;

  /** Maximum number of cached texts of settings; many overrides have the same settings. */
  private static final int MOST_KEPT = 10_000;

  private static final String QUEUE_PREFIX = "queue.";

  private final RevisionIndex index;
  private final long ms;
  private final MessageDigest sha;
  private final BoundedCache<Map<String, String>, String> meanings = new BoundedCache<>(MOST_KEPT);
  private BigInteger sum = BigInteger.ZERO;

  Digest(RevisionIndex index, long ms) {
    this.index = index;
    this.ms = ms;
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has it", e);
    }
  }

  String text() {
    StringJoiner order = new StringJoiner(",");
    index
        .wholes()
        .forEach(
            (limit, timeline) -> {
              InForce now = timeline.at(ms);
              if (!now.isEnabled()) return;
              order.add(limit);
              add(limit + " " + meanings(now));
              addScopes(index.history(limit));
            });
    add(order.toString());
    InForce every = index.every().timeline().at(ms);
    if (every.saysVerdict()) add("* {=} " + meaning(every.own()));
    addScopes(index.every());
    String digits = sum.mod(MODULUS).toString(16);
    String all = "0".repeat(64 - digits.length()) + digits;
    return all.substring(0, 2 * BYTES);
  }

  /**
   * Returns all settings of a limit. Leaves out key.missing if it changes no verdict, or if the
   * limit treats events without its key as release 0.2 does, and the settings of a queue that the
   * limit does not have: such limits have the digest of 0.2.
   */
  private static Map<String, String> meanings(InForce now) {
    Map<String, String> meanings = LimitTexts.meanings(now.texts(), true);
    boolean sameAsBefore = now.limit().keyMissing() == KeyMissing.SHARE;
    if (sameAsBefore || now.limit().optionalFields().isEmpty()) {
      meanings.remove(LimitRules.KEY_MISSING);
    }
    // Without a queue, its settings mean nothing, and a limit keeps the digest of 0.2.
    if (now.limit().exceeded().kind() != Exceeded.Kind.QUEUE) {
      meanings.keySet().removeIf(name -> name.startsWith(QUEUE_PREFIX));
    }
    return meanings;
  }

  private void addScopes(History history) {
    history.forEachScope(
        scope -> {
          if (scope.scope().isWhole()) return;
          Map<String, String> own = history.own(scope, ms);
          if (own.isEmpty()) return;
          String values = "{" + scope.scope().fields() + "=" + scope.scope().key() + "}";
          add(history.limit() + " " + values + " " + meanings.get(own, Digest::meaning));
        });
  }

  private static String meaning(Map<String, String> own) {
    return LimitTexts.meanings(own, false).toString();
  }

  private void add(String line) {
    byte[] digest = sha.digest(line.getBytes(UTF_8));
    sum = sum.add(new BigInteger(1, digest));
  }
}
