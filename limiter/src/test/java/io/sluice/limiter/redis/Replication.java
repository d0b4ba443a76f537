package io.sluice.limiter.redis;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replication state of a master and its replica, from their answers to {@code INFO replication}.
 */
final class Replication {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final Pattern LINK_UP = Pattern.compile("(?m)^(master_link_status:up)\\s*$");
  private static final Pattern WRITTEN = Pattern.compile("(?m)^master_repl_offset:(\\d+)");
  private static final Pattern COPIED = Pattern.compile("(?m)^slave_repl_offset:(\\d+)");

  private Replication() {}

  static void awaitLink(Supplier<String> replica) {
    await().atMost(LONGEST).until(() -> LINK_UP.matcher(replica.get()).find());
  }

  /**
   * Waits until the replica has everything written until now. WAIT covers only the writes of its
   * own connection, and a replica can be linked for a second before it gets any data.
   */
  static void awaitCopied(Supplier<String> master, Supplier<String> replica) {
    long written = offset(WRITTEN, master.get());
    awaitLink(replica);
    await().atMost(LONGEST).until(() -> offset(COPIED, replica.get()) >= written);
  }

  private static long offset(Pattern pattern, String replication) {
    Matcher matcher = pattern.matcher(replication);
    if (!matcher.find()) throw new AssertionError("no offset in " + replication);
    return Long.parseLong(matcher.group(1));
  }
}
