package io.sluice.server.web;

import io.sluice.rules.event.Keys;
import io.sluice.topology.config.HttpConfig;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/**
 * Access control for the API and the page, by token, Host and Origin of a request. Metrics and
 * health are open to every client that can reach the port.
 */
final class Guard {
  /*
   * Without a token, only clients on this machine are served, over the loopback address. But a page
   * of another site may have its own name resolve to 127.0.0.1 (DNS rebinding) and then read the
   * responses in the user's browser. Its requests carry that name as Host, so only names of this
   * machine are accepted. With a token this attack fails, since a browser keeps the cookie by host
   * name. A page of another site must not send requests that change anything either: a browser
   * names the page's origin in Origin and the kind of site in Sec-Fetch-Site; other programs send
   * neither.
   */
  private static final String BEARER = "Bearer ";

  private final HttpConfig config;
  private final boolean loopback;
  private final Optional<Token> token;
  private final Optional<Token> readToken;
  private final Set<String> names = new TreeSet<>();

  /**
   * Creates the access control of a server.
   *
   * @param bound address that the server listens on
   * @param port that the server listens on
   */
  Guard(HttpConfig config, InetAddress bound, int port) {
    this.config = config;
    loopback = bound.isLoopbackAddress();
    token = Token.of(config.token());
    readToken = Token.of(config.readToken());
    for (String name : List.of("localhost", "127.0.0.1", "[::1]", literal(bound))) {
      names.add(name + ":" + port);
      if (port == (config.tls().isOn() ? 443 : 80)) names.add(name);
    }
    if (!config.advertised().isEmpty()) names.add(config.advertised().toLowerCase(Locale.ROOT));
  }

  /** Returns an address as written in a URL, with IPv6 in brackets. */
  static String literal(InetAddress address) {
    String host = address.getHostAddress();
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  /** Tokens that grant access, for writing or only for reading; empty if none is configured. */
  List<Token> tokens() {
    return Stream.concat(token.stream(), readToken.stream()).toList();
  }

  /** Whether the client may write as well as read; without a configured token every client may. */
  boolean mayWrite(Request request) {
    return token.isEmpty() || knows(request, token.get());
  }

  /** Returns an error response if the request is not permitted; empty if it is permitted. */
  Optional<Answer> refusal(Request request, String path) {
    return unknown(request, path)
        .or(() -> isRead(request) ? Optional.empty() : write(request, path));
  }

  static boolean isRead(Request request) {
    return request.getMethod().matches("GET|HEAD");
  }

  private Optional<Answer> unknown(Request request, String path) {
    if (token.isPresent()) {
      return path.equals(Paths.SESSION) || tokens().stream().anyMatch(each -> knows(request, each))
          ? Optional.empty()
          : Optional.of(unauthorized(path));
    }
    if (!loopback) {
      return refused(
          path,
          403,
          "requests from other machines need a token: set "
              + Keys.HTTP_TOKEN
              + " and send it as Authorization: Bearer");
    }
    return isOwnName(host(request))
        ? Optional.empty()
        : refused(
            path,
            403,
            "the Host of a request must be one of "
                + String.join(", ", names)
                + "; "
                + Keys.HTTP_ADVERTISED
                + " can name another");
  }

  private static boolean knows(Request request, Token token) {
    String given = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    boolean bearer = given != null && given.regionMatches(true, 0, BEARER, 0, BEARER.length());
    return (bearer && token.is(given.substring(BEARER.length()).trim()))
        || Request.getCookies(request).stream()
            .anyMatch(
                each -> each.getName().equals(Token.COOKIE) && token.isCookie(each.getValue()));
  }

  private static Answer unauthorized(String path) {
    String wanted = "a token is required: send Authorization: Bearer and " + Keys.HTTP_TOKEN;
    HttpField challenge = new HttpField(HttpHeader.WWW_AUTHENTICATE, "Bearer");
    return path.equals("/")
        ? Answer.html(401, Session.form(""), challenge)
        : Answer.problem(path, 401, wanted, challenge);
  }

  private Optional<Answer> write(Request request, String path) {
    String origin = request.getHeaders().get(HttpHeader.ORIGIN);
    if (origin != null && !isOwn(origin, request)) {
      return refused(
          path, 403, "the Origin of a request that changes something must be this instance");
    }
    String site = request.getHeaders().get("Sec-Fetch-Site");
    if (site != null && !site.matches("same-origin|none")) {
      return refused(path, 403, "pages of other sites must not change anything");
    }
    if (path.equals(Paths.SESSION)) return Optional.empty();
    if (!Paths.isApi(path)) {
      return Optional.of(Answer.only(path, "GET"));
    }
    if (!mayWrite(request)) {
      return refused(
          path,
          403,
          "this token is read-only ("
              + Keys.HTTP_TOKEN_READ
              + "); changes need the token of "
              + Keys.HTTP_TOKEN);
    }
    if (!config.writes()) {
      return refused(path, 403, "writing is disabled: set " + Keys.HTTP_WRITE + "=true");
    }
    String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    return type == null || type.toLowerCase(Locale.ROOT).startsWith("application/json")
        ? Optional.empty()
        : refused(path, 415, "the body must be application/json");
  }

  private boolean isOwn(String origin, Request request) {
    String authority = origin.toLowerCase(Locale.ROOT).replaceFirst("^https?://", "");
    return isOwnName(authority) || (token.isPresent() && authority.equals(host(request)));
  }

  private boolean isOwnName(String authority) {
    return names.contains(authority);
  }

  private static String host(Request request) {
    String host = request.getHeaders().get(HttpHeader.HOST);
    return host == null ? "" : host.toLowerCase(Locale.ROOT);
  }

  private static Optional<Answer> refused(String path, int status, String line) {
    return Optional.of(Answer.problem(path, status, line));
  }
}
