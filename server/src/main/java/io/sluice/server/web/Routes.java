package io.sluice.server.web;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Registry of API routes. It is empty until the instance has set its routes. Thread-safe. */
final class Routes {
  private volatile List<Route> routes = List.of();
  private volatile boolean made;

  void are(List<Route> all) {
    routes = all.stream().sorted(Comparator.comparingInt(each -> -each.path().length())).toList();
    made = true;
  }

  boolean areMade() {
    return made;
  }

  Optional<Route> at(String path) {
    return routes.stream().filter(each -> Paths.isAtOrBelow(path, each.path())).findFirst();
  }
}
