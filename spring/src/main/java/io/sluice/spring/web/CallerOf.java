package io.sluice.spring.web;

import io.sluice.spring.Caller;
import java.lang.reflect.Method;
import java.util.Optional;

/**
 * Caller of a limited method, with the user, address and headers of the web request if there is
 * one.
 */
public record CallerOf(Method method, WebCall web) implements Caller {
  /**
   * Returns the default key of a caller: the user name, else the remote address, with prefixes that
   * keep user names and addresses apart. Returns an empty text if both are unknown.
   */
  public static String byDefault(Caller caller) {
    return caller
        .principal()
        .map(name -> "user:" + name)
        .or(() -> caller.remoteAddress().map(address -> "address:" + address))
        .orElse("");
  }

  @Override
  public Optional<String> principal() {
    return web.principal();
  }

  @Override
  public Optional<String> remoteAddress() {
    return web.remoteAddress();
  }

  @Override
  public Optional<String> header(String name) {
    return web.header(name);
  }
}
