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

/**
 * Script call on its way through a Redis Cluster, with its state and the node that it goes to next.
 */
final class ClusterCall {
  private enum State {
    OPEN,
    /** The call's slot is being moved, and the call's keys are on two nodes. */
    SCATTERED,
    /** The call was answered with an error that may concern only some of its keys. */
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

  /** Whether the call has no answer yet, and can still get one. */
  boolean isOpen() {
    return state == State.OPEN || state == State.SCATTERED || state == State.REFUSED;
  }

  boolean isScattered() {
    return state == State.SCATTERED;
  }

  /** Returns the error reply of a call that was refused; empty in any other state. */
  Optional<JedisDataException> refusal() {
    return state == State.REFUSED ? Optional.of(refusal) : Optional.empty();
  }

  /** Returns the node that the call was redirected to; empty if it goes to its slot's owner. */
  Optional<HostAndPort> sentTo() {
    return Optional.ofNullable(sentTo);
  }

  /**
   * Whether to send ASKING before the call, because the node that it was redirected to does not own
   * the slot yet.
   */
  boolean isAsking() {
    return asking;
  }

  /** Whether the call is open, and the node that was asked last no longer owns the call's slot. */
  boolean isMoved() {
    return moved && isOpen();
  }

  boolean isScriptUnknown() {
    return scriptUnknown;
  }

  /**
   * Returns the script's answer. After a failure, it is empty or has answers to the call's first
   * requests only.
   */
  List<?> answer() {
    return answer;
  }

  void answered(List<?> theAnswer) {
    answer = theAnswer;
    state = State.DONE;
  }

  /** Ends the call without an answer, because of this failure. */
  void failed(LimiterUnavailableException why) {
    failure = why;
    state = State.FAILED;
  }

  /** Ends the call without an answer, because of this failure: the node is silent. */
  void failed(LimiterUnavailableException why, HostAndPort node) {
    failed(why);
    silent = node;
  }

  /**
   * Ends the call with the failure of one of the calls into which it was split.
   *
   * @param before answers to the parts ahead of the failed one, which stay valid
   */
  void failedAs(ClusterCall part, List<?> before) {
    failed(part.failure, part.silent);
    answer = before;
  }

  /**
   * Returns the node whose silence is the reason for the call's failure; empty if there is none.
   */
  Optional<HostAndPort> silent() {
    return Optional.ofNullable(silent);
  }

  /** Returns the call's failure; empty if it has not failed. */
  Optional<LimiterUnavailableException> failure() {
    return Optional.ofNullable(failure);
  }

  /**
   * Handles an error reply, after which the script has not run, or not to its end.
   *
   * @return whether the call can go on, such as on another node
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
   * Sends the call to the present owner of its slot after a lost connection; does so once, and
   * returns false afterwards.
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
   * Failures in one run of requests through a Cluster. After a failure, the request's place (hash
   * slot) is not asked again in the run: later requests for the place would be charged before the
   * unanswered one. A silent node is not asked again either, because that would take another
   * timeout.
   */
  static final class Unanswered {
    private final IntFunction<Optional<HostAndPort>> ownerOf;
    private final Set<Integer> places = new HashSet<>();
    private final Set<HostAndPort> silent = new HashSet<>();
    private Optional<LimiterUnavailableException> first = Optional.empty();

    /**
     * @param ownerOf returns the known owner of a place (hash slot)
     */
    Unanswered(IntFunction<Optional<HostAndPort>> ownerOf) {
      this.ownerOf = ownerOf;
    }

    /** Records the failure of a call, if the call has failed. */
    void add(ClusterCall call) {
      if (call.failure().isEmpty()) return;
      if (first.isEmpty()) first = call.failure();
      places.add(call.scriptCall.place());
      call.silent().ifPresent(silent::add);
    }

    /**
     * Whether requests for a place (hash slot) must be left out after a failure in the run, because
     * a request for the place has failed, or because its owner is silent or unknown. From then on
     * the place is left out, even if it gets another owner.
     */
    boolean concerns(int place) {
      if (first.isEmpty()) return false;
      if (ownerOf.apply(place).map(silent::contains).orElse(true)) places.add(place);
      return places.contains(place);
    }

    /**
     * @throws LimiterUnavailableException if a call has failed: the first failure
     */
    void throwFirst() {
      if (first.isPresent()) throw first.get();
    }
  }
}
