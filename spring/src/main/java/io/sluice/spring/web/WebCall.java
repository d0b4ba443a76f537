package io.sluice.spring.web;

import io.sluice.spring.metering.Metered;
import java.time.Duration;
import java.util.Optional;

/** The web request within which a limited method is called, and the answer to it. */
public interface WebCall {
  /** Outside of a web request. */
  WebCall NONE =
      new WebCall() {
        @Override
        public Optional<String> principal() {
          return Optional.empty();
        }

        @Override
        public Optional<String> remoteAddress() {
          return Optional.empty();
        }

        @Override
        public Optional<String> header(String name) {
          return Optional.empty();
        }

        @Override
        public RateLimitFields fields() {
          return new RateLimitFields();
        }

        @Override
        public void answer(String header, String text) {}
      };

  Optional<String> principal();

  Optional<String> remoteAddress();

  Optional<String> header(String name);

  /** What is known of the limits of this request, in all of its calls. */
  RateLimitFields fields();

  /** Tells of a call. */
  default void tell(Metered metered) {
    fields().add(metered);
    fields().writeTo(this);
  }

  /** Tells how long to wait. */
  default void tellToRetryAfter(Duration wait) {
    answer(RateLimitFields.RETRY_AFTER, RateLimitFields.retryAfter(wait));
  }

  /** Sets a header of the answer, unless it has been sent already. */
  void answer(String header, String text);
}
