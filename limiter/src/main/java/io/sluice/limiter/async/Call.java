package io.sluice.limiter.async;

import io.sluice.limiter.Decision;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.RedisMeter.Route;
import java.util.concurrent.CompletableFuture;

/**
 * A question that waits for its answer.
 *
 * @param route by which it goes
 */
record Call(Request request, Route route, CompletableFuture<Decision> answer) {}
