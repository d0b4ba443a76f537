package io.sluice.server.ask;

import io.sluice.server.web.Route;
import java.util.List;
import java.util.concurrent.ExecutionException;

/**
 * API route for the limits in force and for one key of a limit. It forwards all other paths of a
 * limit.
 */
final class LimitsRoute implements Route {
  private static final String KEY = "key";

  private final LimitsList all;
  private final KeyAnswers keys;
  private final Route changes;

  /**
   * Creates the route.
   *
   * @param changes answers all other paths below this route's path
   */
  LimitsRoute(LimitsList all, KeyAnswers keys, Route changes) {
    this.all = all;
    this.keys = keys;
    this.changes = changes;
  }

  @Override
  public String path() {
    return LimitsList.PATH;
  }

  @Override
  public Reply reply(Request request) throws Exception {
    List<String> below = request.below();
    boolean isKey = below.size() == 2 && below.get(1).equals(KEY);
    if (!below.isEmpty() && !isKey) return changes.reply(request);
    if (!request.method().equals("GET")) return Reply.only("GET");
    return isKey ? key(below.get(0), request) : all(request);
  }

  private Reply all(Request request) throws InterruptedException, ExecutionException {
    String alone = request.parameters().getOrDefault(InstanceClient.LOCAL, "false");
    if (!alone.matches("true|false")) return Reply.problem(400, "local must be true or false");
    boolean mayWrite = request.mayWrite();
    return Reply.of(alone.equals("true") ? all.here(mayWrite) : all.everywhere(mayWrite));
  }

  private Reply key(String name, Request request) {
    boolean plain =
        name.matches("[A-Za-z0-9_-]+"); // valid names of limits, which are safe in a path
    if (!plain) return Reply.problem(404, "no such limit is in force");
    return keys.about(name, path() + "/" + name + "/" + KEY, request.parameters());
  }
}
