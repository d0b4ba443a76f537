package io.sluice.topology.redis;

import io.sluice.limiter.Decision;
import io.sluice.limiter.Judgement;
import io.sluice.limiter.LimiterUnavailableException;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.QueueOwner;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import io.sluice.limiter.redis.ReleaseAnswer;
import io.sluice.limiter.redis.Releases;
import io.sluice.topology.intake.MeteringServices;
import io.sluice.topology.metrics.RedisMetrics;
import io.sluice.topology.redis.RedisCaller.RedisCalls;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Redis in memory that admits every event, or refuses it, while it is available. */
public final class FakeRedis implements RedisCalls {
  public final List<Request> asked = new ArrayList<>();
  public boolean there = true;
  public boolean refuses;
  public String brokenKey = "none";
  public int calls;
  public Releases lastReleases;
  public long clockAheadMicros;
  int probes;
  int answersLeft = Integer.MAX_VALUE;
  private final LaterByHand background = new LaterByHand();

  /** Returns a breaker for this Redis, which tries again only in {@link #comesBack}. */
  public RedisBreaker breaker(RedisMetrics metrics) {
    return new RedisBreaker("app", () -> this, metrics, background, () -> {});
  }

  /** Returns a copy of the services with this Redis. */
  public MeteringServices in(MeteringServices services) {
    return new MeteringServices(
        services.config(),
        services.limits(),
        services.home(),
        services.opener(),
        breaker(services.instruments().redis()),
        services.instruments());
  }

  /** Makes it available again, and has the breaker notice that. */
  public void comesBack() {
    there = true;
    background.passMs(60_000);
  }

  @Override
  public int meter(Iterator<Request> requests, Outcomes outcomes) {
    calls++;
    for (int i = 0; requests.hasNext(); i++) {
      if (!there || answersLeft-- <= 0) throw gone();
      Request request = requests.next();
      asked.add(request);
      if (request.buckets().stream().anyMatch(bucket -> bucket.key().equals(brokenKey))) {
        outcomes.failed(i, new UnreadableKeyException(brokenKey, "WRONGTYPE", null));
      } else {
        outcomes.answered(i, outcome(request));
      }
    }
    return 1;
  }

  @Override
  public Route routeOf(Request request) {
    return new Route(0, "");
  }

  @Override
  public List<ReleaseAnswer> release(Releases questions) {
    lastReleases = questions;
    List<ReleaseAnswer> answers = new ArrayList<>();
    Iterator<Request> requests = questions.heads().stream().map(Releases.Head::request).iterator();
    meter(requests, (index, outcome) -> answers.add(new ReleaseAnswer.Decided(outcome)));
    return answers;
  }

  @Override
  public QueueOwner takeOver(String queue, long nowMicros) {
    if (!there) throw gone();
    return new QueueOwner(queue, nowMicros);
  }

  private Outcome outcome(Request request) {
    Decision decision =
        refuses ? new Decision.NonConforming(0, 7_000, 9_000) : new Decision.Conforming(4, 0);
    Judgement judgement = new Judgement(request.arrival().nowMicros() + clockAheadMicros, decision);
    boolean admits = !refuses && request.elsewhere().conforms();
    return new Outcome(
        admits ? Outcome.Kind.ADMITTED : Outcome.Kind.REFUSED,
        0,
        request.buckets().stream().map(each -> judgement).toList());
  }

  List<Long> askedAtMicros() {
    return asked.stream().map(request -> request.arrival().nowMicros()).toList();
  }

  @Override
  public void probe() {
    probes++;
    if (!there) throw gone();
  }

  private static LimiterUnavailableException gone() {
    return new LimiterUnavailableException("not there", new IllegalStateException());
  }
}
