package io.sluice.limiter.redis;

import static java.lang.Math.max;
import static java.lang.Math.min;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Decision;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.UnreadableKeyException;
import io.sluice.limiter.redis.CallRules.Doubles;
import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.Releases.Head;
import io.sluice.limiter.redis.Releases.Waits;
import io.sluice.limiter.redis.ScriptReply.Unmetered;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Run of a queue's questions through Redis, in groups of one script call, or of one for each slot
 * of a Cluster: what each call tells about the queue, and the answers. A bucket that a head keeps
 * closed stays closed in later calls of the run.
 */
final class ReleaseRun implements Outcomes, Iterator<List<Request>> {
  /** Largest number of heads in a group, so that they fit in one call. */
  private static final int MOST_HEADS = 100;

  /** Largest number of buckets in a group; a bucket can have two keys. */
  private static final int MOST_BUCKETS = 400;

  /** Wait of a head that is behind another one at a bucket whose opening is unknown. */
  private static final long SHORT_MICROS = 10_000;

  private final Releases questions;
  private final boolean takesOver;
  private final IdentityHashMap<Request, Integer> indexes = new IdentityHashMap<>();
  private final List<ReleaseAnswer> answers = new ArrayList<>();
  private final Map<Line, Closed> closed = new HashMap<>();
  private QueueOwner owner;
  private int begin;
  private int end;

  private record Line(String limit, String key) {
    static Line of(Bucket bucket) {
      return new Line(bucket.rule().name(), bucket.key());
    }
  }

  /**
   * Bucket at which a head waits.
   *
   * @param rank the highest class of the heads that wait
   */
  private record Closed(int rank, long untilMicros) {
    Closed and(Closed other) {
      return new Closed(min(rank, other.rank), max(untilMicros, other.untilMicros));
    }
  }

  private ReleaseRun(Releases questions, boolean takesOver) {
    this.questions = questions;
    this.takesOver = takesOver;
    owner = questions.owner();
    for (Head head : questions.heads()) {
      indexes.put(head.request(), indexes.size());
      long latestMicros = head.request().arrival().latestMicros();
      answers.add(new ReleaseAnswer.Behind(latestMicros + SHORT_MICROS, List.of()));
    }
    if (indexes.size() < answers.size()) {
      throw new IllegalArgumentException("a head can be asked only once in a call: " + questions);
    }
  }

  static ReleaseRun of(Releases questions) {
    return new ReleaseRun(questions, false);
  }

  /** Returns a run that makes its caller the owner of a queue. */
  static ReleaseRun takingOver(String queue) {
    return new ReleaseRun(new Releases(new QueueOwner(queue, 0), 0, 1, List.of()), true);
  }

  String queue() {
    return questions.owner().queue();
  }

  /** Returns the owner of the queue; after a run that takes it over, the new one. */
  QueueOwner owner() {
    return owner;
  }

  List<ReleaseAnswer> answers() {
    return List.copyOf(answers);
  }

  @Override
  public boolean hasNext() {
    return end < questions.heads().size();
  }

  /** Returns the next group of questions, whose answers have indexes from 0 on. */
  @Override
  public List<Request> next() {
    List<Request> group = new ArrayList<>();
    begin = end;
    for (int buckets = 0; hasNext() && group.size() < MOST_HEADS; end++) {
      Request request = questions.heads().get(end).request();
      buckets += request.buckets().size();
      if (!group.isEmpty() && buckets > MOST_BUCKETS) break;
      group.add(request);
    }
    return group;
  }

  /**
   * Adds what the script needs about the queue.
   *
   * @param ownersIndex index of the key with the queue's owners
   */
  void addTo(Doubles turns, int ownersIndex) {
    turns.add(owner.epoch()).add(questions.committed()).add(ownersIndex).add(takesOver ? 1 : 0);
  }

  /**
   * Adds what the script needs about a head.
   *
   * @param waitingIndex returns the index of the key with the queues that wait at a bucket
   */
  void addTo(Doubles turns, Request request, ToIntFunction<Bucket> waitingIndex) {
    if (takesOver) return;
    int index = indexes.get(request);
    Head head = questions.heads().get(index);
    turns.add(questions.firstNumber() + index).add(head.rank()).add(head.sinceMicros());
    for (int i = 0; i < head.waits().size(); i++) {
      Bucket bucket = request.buckets().get(i);
      Waits waits = head.waits().get(i);
      Closed before = closed.get(Line.of(bucket));
      turns.add(waits == Waits.NONE ? 0 : 1);
      turns.add(waits == Waits.SHARED ? waitingIndex.applyAsInt(bucket) : 0);
      turns.add(before == null ? -1 : before.rank());
    }
  }

  @Override
  public void answered(int index, Outcome outcome) {
    answers.set(begin + index, new ReleaseAnswer.Decided(outcome));
    if (outcome.kind() != Outcome.Kind.REFUSED) return;
    Head head = questions.heads().get(begin + index);
    for (int i = 0; i < head.waits().size(); i++) {
      long wait = wait(outcome.decision(i));
      if (wait > 0) close(head, i, outcome.judgements().get(i).nowMicros() + wait);
    }
  }

  /** Returns the wait of a refused head at a bucket; 0 if the bucket does not refuse it for now. */
  private static long wait(Decision decision) {
    if (decision instanceof Decision.NonConforming refused) return refused.retryAfterMicros();
    return decision instanceof Decision.Blocked blocked ? blocked.retryAfterMicros() : 0;
  }

  private void close(Head head, int bucket, long untilMicros) {
    Bucket refusing = head.request().buckets().get(bucket);
    if (head.waits().get(bucket) == Waits.NONE || refusing.rule().shadow()) return;
    closed.merge(Line.of(refusing), new Closed(head.rank(), untilMicros), Closed::and);
  }

  @Override
  public void failed(int index, UnreadableKeyException why) {
    answers.set(begin + index, new ReleaseAnswer.Unusable(why));
  }

  /**
   * Takes the answer to a head that was not metered.
   *
   * @throws QueueTakenOverException if the queue has a later owner
   */
  void unmetered(int index, Unmetered answer) {
    if (answer.code() == ScriptReply.FENCED) throw new QueueTakenOverException(owner);
    if (answer.code() == ScriptReply.BEGUN) {
      owner = new QueueOwner(queue(), answer.number());
      return;
    }
    Head head = questions.heads().get(begin + index);
    if (answer.bucket() > 0) close(head, answer.bucket() - 1, answer.number());
    answers.set(begin + index, answer.bucket() > 0 ? behind(head, answer) : behindOwn(head));
  }

  private static ReleaseAnswer behind(Head head, Unmetered answer) {
    Bucket bucket = head.request().buckets().get(answer.bucket() - 1);
    return new ReleaseAnswer.Behind(answer.number(), List.of(bucket));
  }

  private ReleaseAnswer behindOwn(Head head) {
    Arrival arrival = head.request().arrival();
    long untilMicros = arrival.latestMicros() + 1;
    List<Bucket> buckets = new ArrayList<>();
    for (Bucket bucket : head.request().buckets()) {
      Closed at = closed.get(Line.of(bucket));
      if (at == null || at.rank() > head.rank()) continue;
      untilMicros = max(untilMicros, at.untilMicros());
      buckets.add(bucket);
    }
    return new ReleaseAnswer.Behind(untilMicros, buckets);
  }
}
