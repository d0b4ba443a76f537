package io.sluice.limiter.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Identity;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.ReleaseAnswer.Behind;
import io.sluice.limiter.redis.ReleaseAnswer.Decided;
import io.sluice.limiter.redis.ReleaseAnswer.Unusable;
import io.sluice.limiter.redis.Releases.Head;
import io.sluice.limiter.redis.Releases.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Releases of one queue or two: order, priority, entries and exactly-once charges. */
class ReleasesIT {
  private static final long NOW = 1_800_000_000_000_000L;
  private static final long TICK = 100_000;
  private static final Rule VENDOR =
      Rule.policing("vendor", new Quota(20, 1_000_000, 1), Algorithm.GCRA);
  private static final Rule PHONE =
      Rule.policing("phone", new Quota(1, 60_000_000, 1), Algorithm.GCRA);

  private static RedisTestServer redis;

  private RedisMeter meter;
  private long number = 1;

  @BeforeAll
  static void start() {
    redis = new RedisTestServer();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void open() {
    redis.client.flushAll();
    meter = new RedisMeter(redis.settings("sluice"));
  }

  @AfterEach
  void close() {
    meter.close();
  }

  private static Arrival arrival(String event, long cost, long nowMicros) {
    return Arrival.release(Identity.ofRecord(event), cost, nowMicros - TICK, nowMicros);
  }

  private static Head head(String event, int rank, long since, long nowMicros) {
    return head(arrival(event, 1, nowMicros), rank, since, new Bucket(VENDOR, "all"));
  }

  private static Head head(Arrival arrival, int rank, long since, Bucket... buckets) {
    List<Waits> waits = new ArrayList<>();
    for (Bucket each : buckets) {
      waits.add(each.rule().name().startsWith("vendor") ? Waits.SHARED : Waits.OWN);
    }
    return new Head(Request.of(arrival, List.of(buckets)), rank, since, waits);
  }

  private List<ReleaseAnswer> release(QueueOwner owner, Head... heads) {
    number += heads.length;
    return meter.release(new Releases(owner, 0, number - heads.length, List.of(heads)));
  }

  private static boolean admitted(ReleaseAnswer answer) {
    return answer instanceof Decided decided && decided.outcome().admitted();
  }

  private static long until(ReleaseAnswer answer) {
    return ((Behind) answer).untilMicros();
  }

  private static boolean refused(ReleaseAnswer answer) {
    return answer instanceof Decided decided && decided.outcome().kind() == Outcome.Kind.REFUSED;
  }

  @Test
  void theSlotsOfATickGoToTheFirstHeads() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    List<ReleaseAnswer> answers =
        release(
            owner,
            IntStream.range(0, 5)
                .mapToObj(i -> head("e" + i, 0, NOW + i, NOW))
                .toArray(Head[]::new));
    assertThat(answers).filteredOn(ReleasesIT::admitted).hasSize(3);
    assertThat(refused(answers.get(3))).isTrue();
    assertThat(until(answers.get(4))).isEqualTo(NOW + 50_000);
    assertThat(answers.stream().limit(3).map(each -> ((Decided) each).outcome().slotMicros()))
        .containsExactly(0L, NOW - 50_000, NOW);
  }

  @Test
  void headIsBehindAtTheBucketsThatAreClosedAlone() {
    Bucket phone = new Bucket(Rule.policing("phone", Quota.parse("1/60s"), Algorithm.GCRA), "p");
    Bucket one = new Bucket(VENDOR, "one");
    Bucket other = new Bucket(VENDOR, "other");
    QueueOwner owner = meter.takeOver("p0", NOW);
    List<ReleaseAnswer> answers =
        release(
            owner,
            head(arrival("e0", 1, NOW), 0, NOW, phone, one),
            head(arrival("e1", 1, NOW), 0, NOW + 1, phone, one),
            head(arrival("e2", 1, NOW), 0, NOW + 2, phone, other));
    assertThat(admitted(answers.get(0))).isTrue();
    assertThat(answers.subList(1, 3))
        .allSatisfy(
            answer -> {
              if (answer instanceof Behind behind)
                assertThat(behind.buckets()).containsExactly(phone);
              else assertThat(refused(answer)).isTrue();
            })
        .anyMatch(Behind.class::isInstance);
  }

  @Test
  void aCheapHeadDoesNotOvertakeACostlyOneOfItsClass() {
    Rule burst = Rule.policing("vendor", new Quota(20, 1_000_000, 20), Algorithm.GCRA);
    Bucket bucket = new Bucket(burst, "all");
    QueueOwner owner = meter.takeOver("p0", NOW);
    release(owner, head(arrival("first", 15, NOW), 1, NOW, bucket));
    List<ReleaseAnswer> answers =
        release(
            owner,
            head(arrival("costly", 10, NOW), 1, NOW, bucket),
            head(arrival("cheap", 1, NOW), 1, NOW, bucket),
            head(arrival("lower", 1, NOW), 2, NOW, bucket),
            head(arrival("higher", 1, NOW), 0, NOW, bucket));
    assertThat(refused(answers.get(0))).isTrue();
    assertThat(answers.get(1)).isInstanceOf(Behind.class);
    assertThat(answers.get(2)).isInstanceOf(Behind.class);
    assertThat(admitted(answers.get(3))).isTrue();
  }

  @Test
  void aHeadThatOnlyItsOwnBucketRefusesStopsNoOther() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    Bucket vendor = new Bucket(VENDOR, "all");
    Bucket ada = new Bucket(PHONE, "ada", "all");
    List<ReleaseAnswer> answers =
        release(
            owner,
            head(arrival("a1", 1, NOW), 0, NOW, ada, vendor),
            head(arrival("a2", 1, NOW), 0, NOW + 1, ada, vendor),
            head(arrival("b1", 1, NOW), 0, NOW + 2, new Bucket(PHONE, "bob", "all"), vendor));
    assertThat(admitted(answers.get(0))).isTrue();
    assertThat(refused(answers.get(1))).isTrue();
    assertThat(admitted(answers.get(2))).isTrue();
    assertThat(redis.client.keys("*:w1:*")).as("no entry at the open bucket").isEmpty();
  }

  @Test
  void inManyHeadsTheOrderHoldsFromCallToCall() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    Rule burst = Rule.policing("vendor", new Quota(2_000, 1_000_000, 150), Algorithm.GCRA);
    Bucket bucket = new Bucket(burst, "all");
    List<Head> heads = new ArrayList<>();
    for (int i = 0; i < 400; i++) heads.add(head(arrival("e" + i, 2, NOW), 0, NOW + i, bucket));
    heads.add(head(arrival("cheap", 1, NOW), 0, NOW + 400, bucket));
    List<ReleaseAnswer> answers = meter.release(new Releases(owner, 0, 1, heads));
    long admitted = answers.stream().filter(ReleasesIT::admitted).count();
    assertThat(admitted).isEqualTo((150 + 200) / 2);
    assertThat(answers.stream().limit(admitted)).allMatch(ReleasesIT::admitted);
    assertThat(refused(answers.get((int) admitted))).isTrue();
    assertThat(answers.stream().skip(admitted + 1)).allMatch(Behind.class::isInstance);
  }

  @Test
  void anEntryOfAHigherClassKeepsTheSlotOfTheNextOpening() {
    QueueOwner low = meter.takeOver("low", NOW);
    QueueOwner high = meter.takeOver("high", NOW);
    assertThat(release(low, head("l1", 1, 0, NOW), head("l2", 1, 0, NOW), head("l3", 1, 0, NOW)))
        .allMatch(ReleasesIT::admitted);
    assertThat(refused(release(high, head("h1", 0, NOW, NOW + 10_000)).get(0))).isTrue();
    ReleaseAnswer answer = release(low, head("l4", 1, 0, NOW + 60_000)).get(0);
    assertThat(until(answer)).isEqualTo(NOW + 70_000);
    assertThat(admitted(release(high, head("h1", 0, NOW, NOW + 110_000)).get(0))).isTrue();
    assertThat(admitted(release(low, head("l4", 1, 0, NOW + 120_000)).get(0))).isTrue();
  }

  @Test
  void ofOneClassTheEventThatHasWaitedForLongerIsFirst() {
    QueueOwner one = meter.takeOver("one", NOW);
    QueueOwner other = meter.takeOver("other", NOW);
    release(
        one, IntStream.range(0, 3).mapToObj(i -> head("a" + i, 0, 5, NOW)).toArray(Head[]::new));
    assertThat(refused(release(one, head("a4", 0, 20, NOW + 10_000)).get(0))).isTrue();
    assertThat(release(other, head("b1", 0, 21, NOW + 60_000)).get(0)).isInstanceOf(Behind.class);
    assertThat(admitted(release(other, head("b0", 0, 19, NOW + 61_000)).get(0))).isTrue();
  }

  @Test
  void anEntryExpiresTwoSecondsAfterItsOpening() {
    QueueOwner gone = meter.takeOver("gone", NOW);
    QueueOwner other = meter.takeOver("other", NOW);
    release(
        gone, IntStream.range(0, 4).mapToObj(i -> head("a" + i, 0, 5, NOW)).toArray(Head[]::new));
    String key = redis.client.keys("*:w1:*").iterator().next();
    assertThat(redis.client.pttl(key)).isBetween(1_000L, 2_100L);
    long opens = NOW + 50_000;
    Head early = head("b1", 0, 21, opens + 1_990_000);
    assertThat(release(other, early).get(0)).isInstanceOf(Behind.class);
    Head late = head("b1", 0, 21, opens + 2_000_000);
    assertThat(admitted(release(other, late).get(0))).isTrue();
    assertThat(redis.client.keys("*:w1:*")).isEmpty();
  }

  @Test
  void aHeadThatAnotherBucketRefusesForLongerLeavesNoEntry() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    QueueOwner other = meter.takeOver("other", NOW);
    Bucket vendor = new Bucket(VENDOR, "all");
    Bucket ada = new Bucket(PHONE, "ada", "all");
    List<ReleaseAnswer> answers =
        release(
            owner,
            head(arrival("a1", 1, NOW), 0, 5, ada, vendor),
            head("b1", 0, 5, NOW),
            head("b2", 0, 5, NOW),
            head(arrival("a2", 1, NOW), 0, 5, ada, vendor));
    assertThat(answers.subList(0, 3)).allMatch(ReleasesIT::admitted);
    assertThat(refused(answers.get(3))).isTrue();
    assertThat(redis.client.keys("*:w1:*")).isEmpty();
    assertThat(admitted(release(other, head("c1", 0, 9, NOW + 70_000)).get(0))).isTrue();
  }

  @Test
  void aCheapHeadOfAnotherQueueDoesNotOvertakeACostlyOne() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    QueueOwner other = meter.takeOver("other", NOW);
    Rule burst = Rule.policing("vendor", new Quota(20, 1_000_000, 20), Algorithm.GCRA);
    Bucket bucket = new Bucket(burst, "all");
    List<ReleaseAnswer> answers =
        release(
            owner,
            head(arrival("first", 15, NOW), 0, 5, bucket),
            head(arrival("costly", 10, NOW), 0, 5, bucket));
    assertThat(refused(answers.get(1))).isTrue();
    Arrival cheap = arrival("cheap", 1, NOW + 20_000);
    assertThat(release(other, head(cheap, 0, 9, bucket)))
        .containsExactly(new Behind(NOW - TICK + 250_000, List.of(bucket)));
    assertThat(admitted(release(other, head(cheap, 0, 4, bucket)).get(0))).isTrue();
  }

  @Test
  void anEntryOfOtherNumbersOfTheLimitDoesNotCount() {
    QueueOwner gone = meter.takeOver("gone", NOW);
    QueueOwner other = meter.takeOver("other", NOW);
    Rule slow = Rule.policing("vendor", Quota.parse("1/60s"), Algorithm.GCRA);
    Rule faster = Rule.policing("vendor", Quota.parse("100/60s"), Algorithm.GCRA);
    Bucket bucket = new Bucket(slow, "all");
    List<ReleaseAnswer> answers =
        release(
            gone,
            head(arrival("a0", 1, NOW), 0, 5, bucket),
            head(arrival("a1", 1, NOW), 0, 5, bucket));
    assertThat(refused(answers.get(1))).isTrue();
    Arrival soon = arrival("b0", 1, NOW + 10 * TICK);
    assertThat(admitted(release(other, head(soon, 0, 9, new Bucket(faster, "all"))).get(0)))
        .isTrue();
  }

  @Test
  void anAdmittedHeadClearsTheEntryOfItsQueue() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    release(
        owner, IntStream.range(0, 4).mapToObj(i -> head("a" + i, 0, 5, NOW)).toArray(Head[]::new));
    assertThat(redis.client.keys("*:w1:*")).hasSize(1);
    assertThat(admitted(release(owner, head("a3", 0, 5, NOW + TICK)).get(0))).isTrue();
    assertThat(redis.client.keys("*:w1:*")).isEmpty();
  }

  @Test
  void aReleaseThatIsNotCommittedIsNotChargedAgain() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    Head[] heads = {head("a0", 0, 5, NOW), head("a1", 0, 5, NOW)};
    assertThat(release(owner, heads)).allMatch(ReleasesIT::admitted);
    // The answer was lost: the owner asks again later, in another order, beside a new head.
    long later = NOW + 10_000;
    List<ReleaseAnswer> again =
        release(owner, head("new", 0, 5, later), head("a1", 0, 5, later), head("a0", 0, 5, later));
    assertThat(again).allMatch(ReleasesIT::admitted);
    assertThat(((Decided) again.get(0)).outcome().slotMicros()).isEqualTo(NOW);
    // The instance ends, and a later owner asks after an hour of other charges.
    QueueOwner next = meter.takeOver("p0", NOW);
    long hour = NOW + 3_600_000_000L;
    List<ReleaseAnswer> answers =
        release(
            next,
            head("other", 0, 5, hour),
            head("other1", 0, 5, hour),
            head("other2", 0, 5, hour),
            head("other3", 0, 5, hour),
            head("a0", 0, 5, hour),
            head("a1", 0, 5, hour));
    assertThat(answers.subList(0, 3)).allMatch(ReleasesIT::admitted);
    assertThat(refused(answers.get(3))).isTrue();
    assertThat(answers.subList(4, 6)).allMatch(ReleasesIT::admitted);
  }

  @Test
  void aCommittedReleaseIsForgotten() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    meter.release(new Releases(owner, 0, 1, List.of(head("a0", 0, 5, NOW), head("a1", 0, 5, NOW))));
    String released = "*queue1:p0:" + owner.epoch();
    String key = redis.client.keys(released).iterator().next();
    assertThat(redis.client.zcard(key)).isEqualTo(2);
    assertThat(redis.client.ttl(key)).isBetween(3_600L, 100_000L);
    meter.release(new Releases(owner, 1, 3, List.of(head("a2", 0, 5, NOW))));
    assertThat(redis.client.zcard(key)).isEqualTo(2);
    meter.release(new Releases(owner, 3, 4, List.of()));
    meter.release(new Releases(owner, 3, 4, List.of(head("a3", 0, 5, NOW))));
    assertThat(redis.client.keys(released)).isEmpty();
  }

  @Test
  void anEarlierOwnerReleasesNothing() {
    QueueOwner zombie = meter.takeOver("p0", NOW);
    assertThat(admitted(release(zombie, head("a0", 0, 5, NOW)).get(0))).isTrue();
    QueueOwner owner = meter.takeOver("p0", NOW - 1_000_000); // its clock is late
    assertThat(owner.epoch()).isGreaterThan(zombie.epoch());
    String before = redis.client.get("sluice:{all}:vendor:g2:all");
    assertThatThrownBy(() -> release(zombie, head("a1", 0, 5, NOW), head("a2", 0, 5, NOW)))
        .isInstanceOf(QueueTakenOverException.class)
        .hasMessageContaining("p0");
    assertThat(redis.client.get("sluice:{all}:vendor:g2:all")).isEqualTo(before);
    assertThat(admitted(release(owner, head("a1", 0, 5, NOW)).get(0))).isTrue();
  }

  @Test
  void anUnusableKeyFailsItsHeadOnly() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    redis.client.rpush("sluice:{ada}:phone:g2:ada", "list");
    Bucket ada = new Bucket(PHONE, "ada");
    List<ReleaseAnswer> answers =
        release(
            owner,
            head("a0", 0, 5, NOW),
            head(arrival("b", 1, NOW), 0, NOW, ada),
            head("a1", 0, 5, NOW),
            head("a2", 0, 5, NOW),
            head("a3", 0, 5, NOW),
            head(arrival("c", 1, NOW), 0, NOW, ada),
            head("a4", 0, 5, NOW));
    assertThat(admitted(answers.get(0))).isTrue();
    assertThat(answers.get(1)).isInstanceOf(Unusable.class);
    assertThat(answers.subList(2, 4)).allMatch(ReleasesIT::admitted);
    assertThat(refused(answers.get(4))).isTrue();
    assertThat(answers.get(5)).isInstanceOf(Unusable.class);
    assertThat(answers.get(6)).isInstanceOf(Behind.class);
  }

  @Test
  void valuesBesideTheBucketsThatCannotBeReadAreReplaced() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    release(
        owner, IntStream.range(0, 4).mapToObj(i -> head("a" + i, 0, 5, NOW)).toArray(Head[]::new));
    for (String key : redis.client.keys("*")) {
      if (key.contains(":vendor:g2:")) continue;
      redis.client.del(key);
      redis.client.lpush(key, "list");
    }
    long later = NOW + TICK;
    List<ReleaseAnswer> answers =
        release(owner, head("b0", 0, 5, later), head("b1", 0, 5, later), head("b2", 0, 5, later));
    assertThat(admitted(answers.get(0))).isTrue();
    assertThat(admitted(answers.get(1))).isTrue();
    assertThat(refused(answers.get(2))).isTrue();
    for (String key : redis.client.keys("*:w1:*")) redis.client.set(key, "no list");
    assertThat(refused(release(owner, head("b2", 0, 5, later)).get(0))).isTrue();
  }

  /** The call does not bring the ends of all periods in a long span, so it is sent again. */
  @Test
  void headsAfterOneWhosePeriodIsUnknownKeepTheOrder() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    Rule seconds = Rule.policing("seconds", Quota.parse("1/1s"), Algorithm.CALENDAR_WINDOW);
    Rule burst = Rule.policing("vendor", new Quota(20, 1_000_000, 20), Algorithm.GCRA);
    Bucket vendor = new Bucket(burst, "all");
    List<Head> heads = new ArrayList<>();
    heads.add(head(arrival("first", 20, NOW), 0, NOW, vendor));
    heads.add(head(arrival("costly", 20, NOW), 0, NOW, vendor));
    for (int i = 0; i < 6; i++) {
      Arrival long1 = Arrival.release(Identity.ofRecord("s" + i), 1, NOW - 4_000_000, NOW);
      heads.add(head(long1, 0, NOW, new Bucket(seconds, "all")));
    }
    heads.add(head(arrival("cheap", 1, NOW), 0, NOW, vendor));
    List<ReleaseAnswer> answers = meter.release(new Releases(owner, 0, 1, heads));
    assertThat(admitted(answers.get(0))).isTrue();
    assertThat(refused(answers.get(1))).isTrue();
    assertThat(answers.subList(2, 7)).allMatch(ReleasesIT::admitted);
    assertThat(refused(answers.get(7))).isTrue();
    assertThat(until(answers.get(8))).isEqualTo(NOW + 900_000);
    assertThat(redis.client.zcard(redis.client.keys("*queue1:p0:*").iterator().next()))
        .isEqualTo(6);
  }

  @Test
  void everyKeyExpires() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    release(
        owner, IntStream.range(0, 4).mapToObj(i -> head("a" + i, 0, 5, NOW)).toArray(Head[]::new));
    assertThat(redis.client.keys("*")).hasSize(4);
    assertThat(redis.client.keys("*")).allMatch(key -> redis.client.pttl(key) > 0);
  }

  @Test
  void aForgottenScriptIsLoadedAgain() {
    QueueOwner owner = meter.takeOver("p0", NOW);
    assertThat(admitted(release(owner, head("a0", 0, 5, NOW)).get(0))).isTrue();
    redis.client.scriptFlush();
    assertThat(admitted(release(owner, head("a1", 0, 5, NOW)).get(0))).isTrue();
  }

  @Test
  void onlyReleasesWithoutAPositionCanBeHeads() {
    Bucket bucket = new Bucket(VENDOR, "all");
    Request ordinary = Request.of(new Arrival("a", 1, NOW), List.of(bucket));
    assertThatThrownBy(() -> new Head(ordinary, 0, 0, List.of(Waits.OWN)))
        .isInstanceOf(IllegalArgumentException.class);
    Request release = Request.of(arrival("a", 1, NOW), List.of(bucket));
    assertThatThrownBy(() -> new Head(release, 0, 0, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Releases(new QueueOwner("p", 1), 5, 5, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
