package io.sluice.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A limit on the calls of a method of a bean. A call over it throws a {@link
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
 * <p>The numbers are those of a {@link #limit} in the configuration, or stand here, as a {@link
 * #quota} or as {@link #threshold} and {@link #period}. With several on one method, a call is
 * charged to each limit or to none. Mistakes are found when the application starts.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Repeatable(RateLimit.All.class)
public @interface RateLimit {
  /** The name of a limit in the configuration: N of {@code sluice.limit.N.quota}. */
  String limit() default "";

  /** Permits per period, such as {@code 5/60s} or {@code 1000/day}, counted in this process. */
  String quota() default "";

  /**
   * The permits that an idle key may use at once, of a funnel. 0 is as many as the quota has. Only
   * with {@link #quota}.
   */
  long burst() default 0;

  /**
   * {@code funnel}, {@code sliding-window-log} or {@code sliding-window-counter}. Nothing is a
   * funnel, or what a quota for a calendar's periods needs. Only with {@link #quota}.
   */
  String algorithm() default "";

  /** Seconds, in any of which there are never more calls than the {@link #threshold}. */
  long period() default 0;

  /** The most calls in any {@link #period}; counted in this process, by a sliding window log. */
  long threshold() default 0;

  /**
   * A SpEL expression for what is counted together, such as {@code #comment.author}; its value is
   * used as text. A limit with several fields in its key takes a list of as many values, such as
   * {@code {#user, #target}}. Without an expression, each caller is counted by itself, and each
   * method: see {@link RateLimitKeyResolver}.
   */
  String key() default "";

  /**
   * A SpEL expression for the permits that a call needs, a whole number, at least 1; nothing is 1.
   */
  String cost() default "";

  /**
   * A method of the same class that is called in place of one over this limit. It has the same
   * parameters, and may have a {@link RateLimitExceededException} after them.
   */
  String fallback() default "";

  /** Several limits on one method. */
  @Documented
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
  @interface All {
    RateLimit[] value();
  }
}
