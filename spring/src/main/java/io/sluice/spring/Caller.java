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

  /** Returns the address of the client; of the proxy, unless forwarded headers are trusted. */
  Optional<String> remoteAddress();

  /** Returns a header of the request. Clients can send any value. */
  Optional<String> header(String name);
}
