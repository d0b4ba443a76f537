package io.sluice.server.ask;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.server.web.Route;
import java.io.IOException;
import java.io.InputStream;

/** API route that returns the OpenAPI description of the API. */
record OpenApiRoute() implements Route {
  private static final String FILE = "openapi.json";

  @Override
  public String path() {
    return "/api/openapi.json";
  }

  @Override
  public Reply reply(Request request) throws IOException {
    if (!request.method().equals("GET")) return Reply.only("GET");
    try (InputStream file = OpenApiRoute.class.getResourceAsStream(FILE)) {
      return Reply.json(new String(file.readAllBytes(), UTF_8));
    }
  }
}
