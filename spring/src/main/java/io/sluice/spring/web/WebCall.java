package io.sluice.spring.web;

import io.sluice.spring.metering.Metered;
import java.time.Duration;
import java.util.Optional;

/** Web request during which a limited method is called, and its response. */
public interface WebCall {
  /**
   * Stands for a call outside of any web request: has no data of a caller, and ignores headers of
   * the response.
   */
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

  /**
   * Returns the {@code RateLimit} fields for the response, which cover all limited calls during
   * this web request.
   */
  RateLimitFields fields();

  /** Adds the limits of a metered call to the {@code RateLimit} headers of the response. */
  default void tell(Metered metered) {
    fields().add(metered);
    fields().writeTo(this);
  }

  /** Sets the header {@code Retry-After} of the response. */
  default void tellToRetryAfter(Duration wait) {
    answer(RateLimitFields.RETRY_AFTER, RateLimitFields.retryAfter(wait));
  }

  /** Sets a header of the response, unless the response has been sent. */
  void answer(String header, String text);
}
