package io.sluice.spring;

/**
 * Identifies the caller of methods whose {@link RateLimit} has no key; calls are then counted by
 * caller and method. Define a bean of this type to replace the default: the authenticated
 * principal, else the remote address, else one count for all callers.
 */
@FunctionalInterface
public interface RateLimitKeyResolver {
  /**
   * Returns the caller's part of the key, never null. It is called for each call of a method
   * without a key, by any thread, so it must be thread-safe and must not block.
   */
  String resolve(Caller caller);
}
