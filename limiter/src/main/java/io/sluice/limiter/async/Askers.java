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
 * The threads that ask, one for each server that is being asked. Calls for a place that has moved
 * to another server wait until those that went to the old one are answered, and go to the new one
 * together: so their order is kept, and a place that is never at rest moves too. Safe for many
 * threads.
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
    final Deque<Call> later = new ArrayDeque<>(0);
    Server server;
    int calls;

    Place(Server server) {
      this.server = server;
      server.places++;
    }

    /** Also if the place is back meanwhile, it is not the turn of one that comes now. */
    boolean mustWait(Route route) {
      return !later.isEmpty() || !server.name.equals(route.server());
    }

    void ask(Call call) {
      server.asker.take(call);
      calls++;
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
      places.put(route.place(), place);
    }
    // An error has kept those from moving: nobody is left whose answer they would wait for.
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
      if (place.calls == 0) forget(call.route().place(), place); // it has not got its first call
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

  /** Lets go of calls that have been answered: whoever has none left can ask another server. */
  synchronized void leave(List<Call> calls) {
    for (Call call : calls) {
      try {
        leave(call.route().place());
      } catch (Error e) {
        // Such as for want of memory. The others leave all the same.
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

  /** Its calls go where the last of them was to go: the others may be older news. */
  private void move(Place place) {
    Server old = place.server;
    try {
      place.server = serverOf(place.later.getLast().route());
      place.server.places++;
      leave(old);
    } catch (Error e) {
      // There can be no more threads: the one that asks for the old server gets an answer too.
    }
    while (!place.later.isEmpty()) {
      place.ask(place.later.getFirst());
      place.later.remove();
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
    for (Place each : places.values()) {
      left.addAll(each.later);
      each.later.clear();
    }
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
