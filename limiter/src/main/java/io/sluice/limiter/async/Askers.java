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
 * Threads that send calls to Redis, one for each server that is being asked. If a place (a slot)
 * moves to another server, its new calls wait until those sent to the old server are answered, and
 * then go to the new server together. So their order is kept, and a place with constant traffic
 * moves too. Thread-safe.
 */
final class Askers {
  private final Supplier<Asker> newAsker;
  private final List<Asker> all = new ArrayList<>();
  private final Deque<Asker> free = new ArrayDeque<>();
  private final Map<String, Server> servers = new HashMap<>();
  private final Map<Integer, Place> places = new HashMap<>();
  private boolean closed;

  /** Server that is being asked, with its thread, and the number of its places in use. */
  private static final class Server {
    final String name;
    final Asker asker;
    int places;

    Server(String name, Asker asker) {
      this.name = name;
      this.asker = asker;
    }
  }

  /** Place with calls under way: its server, and the number of its unanswered calls. */
  private static final class Place {
    final Deque<Call> later = new ArrayDeque<>(0);
    Server server;
    int calls;

    Place(Server server) {
      this.server = server;
      server.places++;
    }

    /**
     * Whether a call has to wait. If others wait it does too, even if the place is back at its
     * server, to keep the order.
     */
    boolean mustWait(Route route) {
      return !later.isEmpty() || !server.name.equals(route.server());
    }

    void ask(Call call) {
      server.asker.take(call);
      calls++;
    }
  }

  /**
   * @param newAsker creates a started asker
   */
  Askers(Supplier<Asker> newAsker) {
    this.newAsker = newAsker;
  }

  /** Passes a call to the asker of its server; returns false if this is closed. */
  synchronized boolean take(Call call) {
    if (closed) return false;
    Route route = call.route();
    Place place = places.get(route.place());
    if (place == null) {
      place = new Place(serverOf(route));
      places.put(route.place(), place);
    }
    // After an error these calls were not moved, and there is no answer left that would move them.
    if (place.calls == 0 && !place.later.isEmpty()) move(place);
    take(call, place);
    return true;
  }

  private void take(Call call, Place place) {
    try {
      if (place.mustWait(call.route())) {
        place.later.add(call);
      } else {
        place.ask(call);
      }
    } finally {
      if (place.calls == 0) forget(call.route().place(), place); // its first call failed
    }
  }

  private void forget(int number, Place place) {
    places.remove(number);
    leave(place.server);
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

  /**
   * Removes answered calls. An asker whose server has no places left is free for another server.
   */
  synchronized void leave(List<Call> calls) {
    for (Call call : calls) {
      try {
        leave(call.route().place());
      } catch (Error e) {
        // An error, for example out of memory, must not keep the other calls from being removed.
      }
    }
  }

  private void leave(int number) {
    Place place = places.get(number);
    if (--place.calls > 0) return;
    if (place.later.isEmpty()) {
      forget(number, place);
    } else {
      move(place);
    }
  }

  private void leave(Server server) {
    if (--server.places > 0) return;
    servers.remove(server.name);
    free.push(server.asker);
  }

  /**
   * Moves a place to the server of its last waiting call; the routes of the others may be outdated.
   */
  private void move(Place place) {
    Server old = place.server;
    try {
      place.server = serverOf(place.later.getLast().route());
      place.server.places++;
      leave(old);
    } catch (Error e) {
      // No thread can be created: the asker of the old server takes the calls and gets answers too.
    }
    while (!place.later.isEmpty()) {
      place.ask(place.later.getFirst());
      place.later.remove();
    }
  }

  /**
   * Takes no more calls, and ends each asker after the calls that it is asking.
   *
   * @return the calls that were not sent to Redis
   */
  synchronized List<Call> close() {
    closed = true;
    List<Call> left = new ArrayList<>();
    for (Asker each : all) left.addAll(each.close());
    for (Place each : places.values()) {
      left.addAll(each.later);
      each.later.clear();
    }
    return left;
  }

  /**
   * Waits until all askers have ended. Returns at once on an asker's thread, because other askers
   * may be waiting for that thread.
   */
  void awaitEnd() {
    List<Asker> closing;
    synchronized (this) {
      closing = List.copyOf(all);
    }
    if (closing.stream().noneMatch(Asker::isThisThread)) closing.forEach(Asker::awaitEnd);
  }
}
