package io.sluice.limiter.async;

import io.sluice.limiter.redis.RedisMeter.Route;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The threads that ask, one for each server that is being asked. Calls for a place go the way of
 * those that are not answered yet, also if the place has moved to another server meanwhile: so
 * their order is kept. Safe for many threads.
 */
final class Askers {
  private final Supplier<Asker> newAsker;
  private final List<Asker> all = new ArrayList<>();
  private final Deque<Asker> free = new ArrayDeque<>();
  private final Map<String, Server> servers = new HashMap<>();
  private final Map<Integer, Place> places = new HashMap<>();
  private boolean closed;

  /** A server that is being asked, by whom, and for how many places. */
  private static final class Server {
    final String name;
    final Asker asker;
    int places;

    Server(String name, Asker asker) {
      this.name = name;
      this.asker = asker;
    }
  }

  /** A place, whom it is asked of, and how many of its calls are not answered. */
  private static final class Place {
    final Server server;
    int calls;

    Place(Server server) {
      this.server = server;
    }
  }

  /**
   * @param newAsker makes one that has started
   */
  Askers(Supplier<Asker> newAsker) {
    this.newAsker = newAsker;
  }

  /** Leaves a call to the one who asks for its server; not if this is closed. */
  synchronized boolean take(Call call) {
    if (closed) return false;
    Route route = call.route();
    Place place = places.get(route.place());
    if (place == null) {
      place = new Place(serverOf(route));
      place.server.places++;
      places.put(route.place(), place);
    }
    place.calls++;
    place.server.asker.take(call);
    return true;
  }

  private Server serverOf(Route route) {
    return servers.computeIfAbsent(
        route.server(), name -> new Server(name, free.isEmpty() ? another() : free.pop()));
  }

  private Asker another() {
    Asker made = newAsker.get();
    all.add(made);
    return made;
  }

  /** Lets go of calls that have been answered: whoever has none left can ask another server. */
  synchronized void leave(List<Call> calls) {
    for (Call call : calls) {
      int number = call.route().place();
      Place place = places.get(number);
      if (--place.calls > 0) continue;
      places.remove(number);
      if (--place.server.places > 0) continue;
      servers.remove(place.server.name);
      free.push(place.server.asker);
    }
  }

  /**
   * Takes no calls any more, and has the askers end when they are through with those that are under
   * way.
   *
   * @return the calls that nobody has been asked about
   */
  synchronized List<Call> close() {
    closed = true;
    List<Call> left = new ArrayList<>();
    for (Asker each : all) left.addAll(each.close());
    return left;
  }

  /** Returns when all have ended; at once if this is one of them, on which others may wait. */
  void awaitEnd() {
    List<Asker> closing;
    synchronized (this) {
      closing = List.copyOf(all);
    }
    if (closing.stream().noneMatch(Asker::isThisThread)) closing.forEach(Asker::awaitEnd);
  }
}
