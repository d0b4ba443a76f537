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

/** Script call on its way through a Cluster, with its state and its next target. */
final class ClusterCall {
  private enum State {
    OPEN,
    /** Its slot is being moved, and its keys are on two nodes. */
    SCATTERED,
    /** It was answered with an error that may concern only some of its keys. */
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

  /** Whether it has no answer yet, and can still get one. */
  boolean isOpen() {
    return state == State.OPEN || state == State.SCATTERED || state == State.REFUSED;
  }

  boolean isScattered() {
    return state == State.SCATTERED;
  }

  /** Returns the error of a refused call; empty in any other state. */
  Optional<JedisDataException> refusal() {
    return state == State.REFUSED ? Optional.of(refusal) : Optional.empty();
  }

  /** Returns the node that it was redirected to, if it was. */
  Optional<HostAndPort> sentTo() {
    return Optional.ofNullable(sentTo);
  }

  /** Whether to send ASKING first, because the node does not own the slot yet. */
  boolean isAsking() {
    return asking;
  }

  /** Whether it is open, and the node that was asked last no longer owns the slot. */
  boolean isMoved() {
    return moved && isOpen();
  }

  boolean isScriptUnknown() {
    return scriptUnknown;
  }

  /** Returns the answer. After a failure it is empty, or has answers to the first requests only. */
  List<?> answer() {
    return answer;
  }

  void answered(List<?> theAnswer) {
    answer = theAnswer;
    state = State.DONE;
  }

  /** Ends the call without an answer. */
  void failed(LimiterUnavailableException why) {
    failure = why;
    state = State.FAILED;
  }

  /** Ends the call without an answer, because this node is silent. */
  void failed(LimiterUnavailableException why, HostAndPort node) {
    failed(why);
    silent = node;
  }

  /**
   * Ends the call with the failure of one of its parts.
   *
   * @param before answers to the parts ahead of that one, which stay valid
   */
  void failedAs(ClusterCall part, List<?> before) {
    failed(part.failure, part.silent);
    answer = before;
  }

  /** Returns the silent node, if that is the reason of its failure. */
  Optional<HostAndPort> silent() {
    return Optional.ofNullable(silent);
  }

  /** Returns the failure, if it has ended without an answer. */
  Optional<LimiterUnavailableException> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Handles an error reply, after which the script has not run, or not to its end.
   *
   * @return whether the call can go on
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

  /**
   * Lets the call go to the present owner of its slot after a lost connection; returns false after
   * the first time.
   */
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
   * Failures in one run through a Cluster. A place with a failure is not asked again in the run:
   * requests behind an unanswered one would be charged before it. A silent node is not asked again
   * either, because that would take another timeout.
   */
  static final class Unanswered {
    private final IntFunction<Optional<HostAndPort>> ownerOf;
    private final Set<Integer> places = new HashSet<>();
    private final Set<HostAndPort> silent = new HashSet<>();
    private Optional<LimiterUnavailableException> first = Optional.empty();

    /**
     * @param ownerOf returns the known owner of a place
     */
    Unanswered(IntFunction<Optional<HostAndPort>> ownerOf) {
      this.ownerOf = ownerOf;
    }

    /** Notes a call if it has failed. */
    void add(ClusterCall call) {
      if (call.failure().isEmpty()) return;
      if (first.isEmpty()) first = call.failure();
      places.add(call.scriptCall.place());
      call.silent().ifPresent(silent::add);
    }

    /**
     * Whether requests for the place must be left out, because one has failed, or because its owner
     * is silent or unknown. From then on the place is left out, even if it gets another owner.
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
