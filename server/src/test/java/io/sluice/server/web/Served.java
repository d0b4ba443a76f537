package io.sluice.server.web;

import io.sluice.runtime.monitoring.Monitoring;
import io.sluice.topology.config.SluiceConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** HTTP server with test routes, and a client of raw requests with any Host header. */
final class Served implements AutoCloseable {
  private final Monitoring monitoring;
  final WebServer web;

  Served(Map<String, String> settings, Route... routes) {
    this(30_000, settings, routes);
  }

  Served(long patienceMs, Map<String, String> settings, Route... routes) {
    SluiceConfig config = config(settings);
    monitoring = Monitoring.open(config, List.of());
    web = WebServer.open(config.http(), monitoring, patienceMs);
    web.serve(List.of(routes));
  }

  static SluiceConfig config(Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(Map.of("sluice.http.port", "0"));
    all.putAll(settings);
    return SluiceConfig.example(all);
  }

  int port() {
    return web.address().getPort();
  }

  /** Host and port of this server. */
  String host() {
    return "127.0.0.1:" + port();
  }

  Socket connect() throws IOException {
    URI address = web.address();
    String host = address.getHost().replaceAll("[\\[\\]]", "");
    return new Socket(host.equals("0.0.0.0") ? "127.0.0.1" : host, address.getPort());
  }

  /** Sends a request with these lines and returns the whole response. */
  String ask(String request, String... headers) throws IOException {
    return send(request, "", headers);
  }

  String send(String request, String body, String... headers) throws IOException {
    try (Socket socket = connect()) {
      StringBuilder text = new StringBuilder(request).append(" HTTP/1.1\r\n");
      for (String header : headers) text.append(header).append("\r\n");
      if (!body.isEmpty()) text.append("Content-Length: ").append(body.length()).append("\r\n");
      text.append("Connection: close\r\n\r\n").append(body);
      OutputStream out = socket.getOutputStream();
      out.write(text.toString().getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      return all(socket.getInputStream());
    }
  }

  static String all(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    web.close();
    monitoring.close();
  }
}
