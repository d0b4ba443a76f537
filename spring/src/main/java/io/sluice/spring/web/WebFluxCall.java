package io.sluice.spring.web;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Web request to a reactive server, found in the Reactor context of a subscription.
 *
 * @param name name of the authenticated user; empty if there is none
 */
public record WebFluxCall(ServerWebExchange exchange, Optional<String> name) implements WebCall {
  private static final String EXCHANGE = WebFluxCall.class.getName();
  private static final String FIELDS = RateLimitFields.class.getName();

  /**
   * Puts the web request into the Reactor context. Runs after the filters that authenticate the
   * user.
   */
  @Order(Ordered.LOWEST_PRECEDENCE - 10)
  public static final class Filter implements WebFilter {
    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      return chain.filter(exchange).contextWrite(context -> context.put(EXCHANGE, exchange));
    }
  }

  /** Returns the web request in a Reactor context, or {@link #NONE}. */
  public static Mono<WebCall> in(ContextView context) {
    if (!context.hasKey(EXCHANGE)) return Mono.just(NONE);
    ServerWebExchange exchange = context.get(EXCHANGE);
    return exchange
        .getPrincipal()
        .map(Principal::getName)
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .map(name -> new WebFluxCall(exchange, name));
  }

  @Override
  public Optional<String> principal() {
    return name;
  }

  @Override
  public Optional<String> remoteAddress() {
    return Optional.ofNullable(exchange.getRequest().getRemoteAddress()).map(WebFluxCall::text);
  }

  /**
   * Returns the IP address as text; the host name if a proxy has forwarded an address that is not
   * resolved.
   */
  private static String text(InetSocketAddress caller) {
    InetAddress resolved = caller.getAddress();
    return resolved == null ? caller.getHostString() : resolved.getHostAddress();
  }

  @Override
  public Optional<String> header(String wanted) {
    return Optional.ofNullable(exchange.getRequest().getHeaders().getFirst(wanted));
  }

  @Override
  public RateLimitFields fields() {
    return (RateLimitFields)
        exchange.getAttributes().computeIfAbsent(FIELDS, absent -> new RateLimitFields());
  }

  @Override
  public void answer(String header, String text) {
    if (!exchange.getResponse().isCommitted()) {
      exchange.getResponse().getHeaders().set(header, text);
    }
  }
}
