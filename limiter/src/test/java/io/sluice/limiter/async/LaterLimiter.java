package io.sluice.limiter.async;

import io.sluice.limiter.Arrival;
import io.sluice.limiter.Decision;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Limiter whose answers are given by the test. */
final class LaterLimiter implements AsyncRateLimiter {
  /** Call of the limiter, with its pending answer. */
  record Question(String key, long cost, CompletableFuture<Decision> answer) {}

  final Deque<Question> questions = new ConcurrentLinkedDeque<>();

  @Override
  public CompletionStage<Decision> meter(String key, Arrival arrival) {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletionStage<Decision> meter(String key, long cost) {
    Question question = new Question(key, cost, new CompletableFuture<>());
    questions.add(question);
    return question.answer;
  }

  void answers(Decision decision) {
    questions.remove().answer.complete(decision);
  }

  void conforms() {
    answers(new Decision.Conforming(0, 1_000_000));
  }

  void refuses(long retryAfterMicros) {
    answers(new Decision.NonConforming(0, retryAfterMicros, 2 * retryAfterMicros));
  }

  void fails(RuntimeException failure) {
    questions.remove().answer.completeExceptionally(failure);
  }
}
