package io.sluice.guarantees.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.guarantees.scenario.Described;
import io.sluice.guarantees.scenario.Limit;
import io.sluice.guarantees.scenario.Limits;
import io.sluice.guarantees.scenario.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/** Creates the events that a fault in a test run needs, of users that no other events have. */
public final class FaultEvents {
  /** Function with which a fault creates the events that it needs. */
  public interface Wanted {
    /** Creates the events; called on the publishing thread. */
    List<Sent> make(FaultEvents events, long nowMs);
  }

  /** Size in bytes of an event that is too large for a shrunk topic, but not for other topics. */
  private static final int OUTGROWN_BYTES = 150_000;

  private static final int OUTGROWN = 6;
  private static final int WAITING = 8;
  private static final int MIXED = 8;
  private static final int RETRYING_AT_ONCE = 6;
  private static final List<String> WAIT_FOR_A_SLOT = List.of("sms", "fax");

  private final List<String> topics;
  private final SplittableRandom random;
  private final Numbers numbers;

  FaultEvents(List<String> topics, SplittableRandom random, Numbers numbers) {
    this.topics = topics;
    this.random = random;
    this.numbers = numbers;
  }

  /**
   * Creates events that are too large for a shrunk topic. Each is the only one of its user, so that
   * every limit allows it; half of them have no record key, so that they are repartitioned.
   */
  public List<Sent> outgrown(long nowMs) {
    List<Sent> made = new ArrayList<>();
    for (int i = 0; i < OUTGROWN; i++) {
      boolean limited = random.nextInt(4) > 0;
      String action = limited ? Limits.anyOf(false, random).action() : Limits.UNMATCHED;
      Described event = either("outgrown" + numbers.peek(), action, nowMs);
      byte[] key = i % 2 == 0 ? event.user().getBytes(UTF_8) : null;
      made.add(large(event, key));
    }
    return made;
  }

  /**
   * Creates events of one user that are too large for a shrunk topic, most of which are delayed to
   * a slot or retried.
   */
  public List<Sent> outgrownLater(long nowMs) {
    List<Sent> made = new ArrayList<>();
    String user = "waiting" + numbers.peek();
    String delayed = WAIT_FOR_A_SLOT.get(random.nextInt(WAIT_FOR_A_SLOT.size()));
    for (int i = 0; i < WAITING; i++) {
      String action = i % 2 == 0 ? delayed : Limits.RETRIED;
      made.add(large(either(user, action, nowMs + i), user.getBytes(UTF_8)));
    }
    return made;
  }

  /**
   * Creates one event that is too large for a shrunk topic for each given partition, each the only
   * one of its user.
   */
  public List<Sent> outgrownOn(Collection<Integer> partitions, long nowMs) {
    List<Sent> made = new ArrayList<>();
    for (int partition : partitions) {
      String user = userAt(partition);
      made.add(large(either(user, Limits.UNMATCHED, nowMs), user.getBytes(UTF_8)));
    }
    return made;
  }

  private String userAt(int partition) {
    String user = "probe" + numbers.peek();
    for (int i = 0; Topics.home(user) != partition; i++) user = "probe" + numbers.peek() + "-" + i;
    return user;
  }

  private Sent large(Described event, byte[] key) {
    return sent(event, key, "p".repeat(OUTGROWN_BYTES));
  }

  /** Creates {@code count} events of one user under one limit. */
  public List<Sent> of(Limit limit, String user, int count, Described.Kind kind, long nowMs) {
    List<Sent> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(sent(described(user, limit.action(), nowMs + i, nowMs, kind)));
    }
    return made;
  }

  /**
   * Creates events that have a limit in the state store and a limit in Redis, each of another user.
   */
  public List<Sent> onBoth(long nowMs) {
    List<Sent> made = new ArrayList<>();
    for (int i = 0; i < MIXED; i++) {
      String user = "both" + numbers.peek();
      made.add(sent(described(user, Limits.ON_BOTH, nowMs, nowMs, Described.Kind.EVENT)));
    }
    return made;
  }

  /**
   * Creates more events of each user at once than the limit allows, so that Sluice retries some of
   * them.
   */
  public List<Sent> retrying(List<String> users, long nowMs) {
    List<Sent> made = new ArrayList<>();
    for (String user : users) {
      for (int i = 0; i < RETRYING_AT_ONCE; i++) {
        made.add(sent(described(user, Limits.RETRIED, nowMs + i, nowMs, Described.Kind.EVENT)));
      }
    }
    return made;
  }

  private Described either(String user, String action, long nowMs) {
    return described(user, action, nowMs, nowMs, Described.Kind.EITHER);
  }

  private Described described(
      String user, String action, long atMs, long nowMs, Described.Kind kind) {
    long number = numbers.next();
    String target = "of-" + user;
    return new Described(number, action, user, target, "f" + number, atMs, nowMs, 1, kind);
  }

  private Sent sent(Described event) {
    return sent(event, event.user().getBytes(UTF_8), "");
  }

  private Sent sent(Described event, byte[] key, String padding) {
    String topic = topics.get(Math.floorMod(event.user().hashCode(), topics.size()));
    byte[] value = Values.json(event, true, padding);
    return new Sent(topic, key, value, event.publishedAtMs(), event);
  }
}
