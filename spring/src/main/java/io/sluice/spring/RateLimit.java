package io.sluice.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits the calls of a bean's method. A call over the limit throws a {@link
 * RateLimitExceededException} and does not reach the method.
 *
 * <pre>{@code
 * @RateLimit(period = 30, threshold = 2)
 * @GetMapping("/api/hi") String hi() { ... }
 *
 * @RateLimit(limit = "reply", key = "#comment.author", cost = "#comment.parts")
 * void reply(Comment comment) { ... }
 * }</pre>
 *
 * <p>The numbers are those of a {@link #limit} in the configuration, or are given by the
 * annotation, as a {@link #quota} or as {@link #threshold} and {@link #period}. With several
 * annotations on one method, a call is charged to all limits or to none. Mistakes are reported when
 * the application starts.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Repeatable(RateLimit.All.class)
public @interface RateLimit {
  /** Name of a limit in the configuration: N of {@code sluice.limit.N.quota}. */
  String limit() default "";

  /** Permits per period, such as {@code 5/60s} or {@code 1000/day}, counted in this process. */
  String quota() default "";

  /**
   * Burst of a funnel: the permits that an idle key may use at once. 0 means as many as the quota
   * has. Only with {@link #quota}.
   */
  long burst() default 0;

  /**
   * Algorithm: {@code funnel}, {@code sliding-window-log} or {@code sliding-window-counter}. Empty
   * means {@code funnel}, or a calendar window for a quota such as {@code 1000/day}. Only with
   * {@link #quota}.
   */
  String algorithm() default "";

  /** Period in seconds. In any such period there are at most {@link #threshold} calls. */
  long period() default 0;

  /**
   * Maximum number of calls in any {@link #period}, counted in this process by a sliding window
   * log.
   */
  long threshold() default 0;

  /**
   * SpEL expression for the key by which calls are counted, such as {@code #comment.author}; its
   * value is converted to text. A limit with several key fields needs a list of as many values,
   * such as {@code {#user, #target}}. Without an expression, calls are counted by caller and
   * method: see {@link RateLimitKeyResolver}.
   */
  String key() default "";

  /**
   * SpEL expression for the cost of a call in permits, a whole number of at least 1. Empty means 1.
   */
  String cost() default "";

  /**
   * Name of a method of the same class that is called instead if this limit refuses a call. It has
   * the same parameters, optionally followed by a {@link RateLimitExceededException}.
   */
  String fallback() default "";

  /** Container of several limits on one method. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
  @interface All {
    RateLimit[] value();
  }
}
