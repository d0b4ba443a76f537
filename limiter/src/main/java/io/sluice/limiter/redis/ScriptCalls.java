package io.sluice.limiter.redis;

import io.sluice.limiter.redis.RedisMeter.Outcomes;
import io.sluice.limiter.redis.RedisMeter.Request;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;

/**
 * Requests in order, as few calls of {@code meter.lua} as they fit into. Requests are asked for
 * only when a call is, so whoever makes them does so while Redis works on the call before.
 */
final class ScriptCalls implements Iterator<ScriptCall> {
  private final Iterator<Request> requests;
  private final Outcomes outcomes;
  private final Supplier<ScriptCall> empty;
  private ScriptCall next;
  private int answeredRequests;
  private int answeredCalls;

  ScriptCalls(Iterator<Request> requests, Outcomes outcomes, Supplier<ScriptCall> empty) {
    this.requests = requests;
    this.outcomes = outcomes;
    this.empty = empty;
    next = empty.get();
    if (requests.hasNext()) next.take(requests.next());
  }

  @Override
  public boolean hasNext() {
    return !next.requests().isEmpty();
  }

  @Override
  public ScriptCall next() {
    if (!hasNext()) throw new NoSuchElementException();
    ScriptCall filled = next;
    next = empty.get();
    while (requests.hasNext() && next.requests().isEmpty()) {
      Request request = requests.next();
      if (!filled.take(request)) next.take(request);
    }
    return filled;
  }

  /** Hands over what Redis answered to the first call that was not answered yet. */
  void answered(ScriptCall call, Object answer) {
    ScriptReply reply = new ScriptReply((List<?>) answer);
    answeredCalls++;
    for (Request request : call.requests()) {
      outcomes.answered(answeredRequests++, reply.next(request));
    }
  }

  int answeredCalls() {
    return answeredCalls;
  }
}
