package io.sluice.limiter.redis;

import io.sluice.limiter.LimiterUnavailableException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** A script call on its way through a Cluster: where it goes next, and how it is put there. */
final class ClusterCall {
  private enum State {
    OPEN,
    /** Its keys are being moved, some are here and some there. */
    SCATTERED,
    /** It was answered an error that may be of some of its keys alone. */
    REFUSED,
    DONE,
    FAILED
  }

  final ScriptCall scriptCall;
  private State state = State.OPEN;
  private HostAndPort sentTo;
  private boolean asking;
  private boolean moved;
  private boolean scriptUnknown;
  private boolean sentAnew;
  private List<?> answer = List.of();
  private JedisDataException refusal;
  private LimiterUnavailableException failure;
  private HostAndPort silent;

  ClusterCall(ScriptCall scriptCall) {
    this.scriptCall = scriptCall;
  }

  /** Whether it is still to be answered, and may be. */
  boolean isOpen() {
    return state == State.OPEN || state == State.SCATTERED || state == State.REFUSED;
  }

  boolean isScattered() {
    return state == State.SCATTERED;
  }

  /** The error it was answered, if that may be of some of its keys alone. */
  Optional<JedisDataException> refusal() {
    return state == State.REFUSED ? Optional.of(refusal) : Optional.empty();
  }

  /** Where a node has sent it, if one has. */
  Optional<HostAndPort> sentTo() {
    return Optional.ofNullable(sentTo);
  }

  /** Whether the node is to be told that it is asked for a slot that is not its own yet. */
  boolean isAsking() {
    return asking;
  }

  /** Whether the node that was asked last does not have the slot any more. */
  boolean isMoved() {
    return moved && isOpen();
  }

  boolean isScriptUnknown() {
    return scriptUnknown;
  }

  /** What it was answered; to its first requests only if it has failed since, or to none. */
  List<?> answer() {
    return answer;
  }

  void answered(List<?> theAnswer) {
    answer = theAnswer;
    state = State.DONE;
  }

  /** Ends it without an answer. */
  void failed(LimiterUnavailableException why) {
    failure = why;
    state = State.FAILED;
  }

  /** The same, because a node does not answer. */
  void failed(LimiterUnavailableException why, HostAndPort node) {
    failed(why);
    silent = node;
  }

  /**
   * Ends it as a part of it has ended.
   *
   * @param before what the parts ahead of that one were answered, which stands
   */
  void failedAs(ClusterCall part, List<?> before) {
    failed(part.failure, part.silent);
    answer = before;
  }

  /** The node that does not answer, if it has failed for that. */
  Optional<HostAndPort> silent() {
    return Optional.ofNullable(silent);
  }

  /** Why it has no answer, if it has ended without one. */
  Optional<LimiterUnavailableException> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Takes an error for an answer, which means that the script has not run, or not to its end.
   *
   * @return whether there is something to be done about it
   */
  boolean refused(JedisDataException error) {
    moved = error instanceof JedisMovedDataException;
    if (error instanceof JedisNoScriptException) {
      scriptUnknown = true;
    } else if (error instanceof JedisRedirectionException redirection) {
      sentTo = redirection.getTargetNode();
      asking = error instanceof JedisAskDataException;
    } else if (Failures.says("TRYAGAIN", error)) {
      startOver();
      state = State.SCATTERED;
    } else if (Failures.mayBeOfKeys(error)) {
      refusal = error;
      state = State.REFUSED;
    } else {
      return false;
    }
    return true;
  }

  /** Makes it go where its slot is now, because the way there was lost; once only. */
  boolean sendAnew() {
    if (sentAnew) return false;
    sentAnew = true;
    startOver();
    return true;
  }

  private void startOver() {
    sentTo = null;
    asking = false;
  }

  /**
   * What has failed of a run through a Cluster, and so must not be asked about by it any more:
   * behind a request that has no answer, those for the same place would be charged before it. Nor
   * is a node that does not answer asked again, which would take another timeout.
   */
  static final class Unanswered {
    private final IntFunction<Optional<HostAndPort>> ownerOf;
    private final Set<Integer> places = new HashSet<>();
    private final Set<HostAndPort> silent = new HashSet<>();
    private Optional<LimiterUnavailableException> first = Optional.empty();

    /**
     * @param ownerOf who has a place, as far as is known
     */
    Unanswered(IntFunction<Optional<HostAndPort>> ownerOf) {
      this.ownerOf = ownerOf;
    }

    /** Takes note of a call if it has failed. */
    void add(ClusterCall call) {
      if (call.failure().isEmpty()) return;
      if (first.isEmpty()) first = call.failure();
      places.add(call.scriptCall.place());
      call.silent().ifPresent(silent::add);
    }

    /**
     * Whether a request for the place has failed, or is to fail without being asked about. So do
     * those behind it from then on, though the place may have another owner by now.
     */
    boolean concerns(int place) {
      if (first.isEmpty()) return false;
      if (ownerOf.apply(place).map(silent::contains).orElse(true)) places.add(place);
      return places.contains(place);
    }

    /**
     * @throws LimiterUnavailableException if anything has failed: the first failure
     */
    void throwFirst() {
      if (first.isPresent()) throw first.get();
    }
  }
}
