package io.sluice.spring;

/**
 * The key by which calls are counted whose {@link RateLimit} names none, beside the method. Define
 * a bean of this type to count by something else than the default, which is the authenticated
 * principal, or else the remote address, or else nothing: one count for all callers.
 */
@FunctionalInterface
public interface RateLimitKeyResolver {
  /**
   * The caller's part of the key, never null. Called for every such call, by any thread, so it must
   * not block.
   */
  String resolve(Caller caller);
}
