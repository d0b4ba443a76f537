package io.sluice.spring;

import java.lang.reflect.Method;
import java.util.Optional;

/**
 * Caller of a limited method, as known from the web request. Outside of a web request all optional
 * values are empty.
 */
public interface Caller {
  /** Returns the method that is called. */
  Method method();

  /** Returns the name of the authenticated user. */
  Optional<String> principal();

  /**
   * Returns the IP address of the client, or that of a proxy in front of the application, unless
   * forwarded headers are trusted.
   */
  Optional<String> remoteAddress();

  /** Returns a header of the web request. Clients can send any value. */
  Optional<String> header(String name);
}
