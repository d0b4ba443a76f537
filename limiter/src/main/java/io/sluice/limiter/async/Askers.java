package io.sluice.limiter.async;

import io.sluice.limiter.async.Gatherer.Call;
import io.sluice.limiter.redis.RedisMeter.Route;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Threads that send calls to Redis, one for each server with unanswered calls. A place is a hash
 * slot of a Cluster. If a place moves to another server, its new calls wait until the calls sent to
 * the old server are answered, and then go to the new server together. So the calls of a place keep
 * their order, and a place with constant traffic moves too. Thread-safe.
 */
final class Askers {
  private final Supplier<CallBatcher<Call>> newAsker;
  private final List<CallBatcher<Call>> all = new ArrayList<>();
  private final Deque<CallBatcher<Call>> free = new ArrayDeque<>();
  private final Map<String, Server> servers = new HashMap<>();
  private final Map<Integer, Place> places = new HashMap<>();
  private boolean closed;

  /**
   * Server with unanswered calls: its thread, and the number of places (hash slots) with calls
   * there.
   */
  private static final class Server {
    final String name;
    final CallBatcher<Call> asker;
    int places;

    Server(String name, CallBatcher<Call> asker) {
      this.name = name;
      this.asker = asker;
    }
  }

  /**
   * Place (hash slot) with unanswered calls: its server, the number of its unanswered calls, and
   * the calls that wait until the place has moved to another server.
   */
  private static final class Place {
    final Deque<Call> later = new ArrayDeque<>(0);
    Server server;
    int calls;

    Place(Server server) {
      this.server = server;
      server.places++;
    }

    /**
     * Whether a new call has to wait. While earlier calls of the place wait, it waits too, even if
     * the place is back at its server, to keep the order of the calls.
     */
    boolean mustWait(Route route) {
      return !later.isEmpty() || !server.name.equals(route.server());
    }

    void ask(Call call) {
      boolean unused = server.asker.take(call); // not closed, because this pool is not
      calls++;
    }
  }

  /**
   * @param newAsker creates an asker whose thread has started
   */
  Askers(Supplier<CallBatcher<Call>> newAsker) {
    this.newAsker = newAsker;
  }

  /**
   * Passes a call to the asker of its server, or lets it wait while its place moves; returns false
   * if this pool of threads is closed.
   */
  synchronized boolean take(Call call) {
    if (closed) return false;
    Route route = call.route;
    Place place = places.get(route.place());
    if (place == null) {
      place = new Place(serverOf(route));
      places.put(route.place(), place);
    }
    // The waiting calls of a place move with the last answer from its old server. If an error
    // prevented that, no answer is left that would move them, so the next call moves them.
    if (place.calls == 0 && !place.later.isEmpty()) move(place);
    take(call, place);
    return true;
  }

  private void take(Call call, Place place) {
    try {
      if (place.mustWait(call.route)) {
        place.later.add(call);
      } else {
        place.ask(call);
      }
    } finally {
      // Without an unanswered call, the first call of the place could not be passed on.
      if (place.calls == 0) forget(call.route.place(), place);
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

  private CallBatcher<Call> another() {
    CallBatcher<Call> made = newAsker.get();
    all.add(made);
    return made;
  }

  /**
   * Counts these calls as answered. The asker of a server whose places have no unanswered calls
   * becomes free for another server.
   */
  synchronized void leave(List<Call> calls) {
    for (Call call : calls) {
      try {
        leave(call.route.place());
      } catch (Error e) {
        // An error for one call, for example out of memory, must not keep the other calls from
        // being counted.
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
   * Moves a place to the server of its last waiting call, because the routes of earlier waiting
   * calls may be outdated, and sends all waiting calls there.
   */
  private void move(Place place) {
    Server old = place.server;
    try {
      place.server = serverOf(place.later.getLast().route);
      place.server.places++;
      leave(old);
    } catch (Error e) {
      // No thread can be created for the new server, so the thread of the old server sends the
      // calls. They get answers too.
    }
    while (!place.later.isEmpty()) {
      place.ask(place.later.getFirst());
      place.later.remove();
    }
  }

  /**
   * Accepts no more calls, and ends the thread of each asker after its current batch.
   *
   * @return the calls that were not sent to Redis
   */
  synchronized List<Call> close() {
    closed = true;
    List<Call> left = new ArrayList<>();
    for (CallBatcher<Call> each : all) left.addAll(each.close());
    for (Place each : places.values()) {
      left.addAll(each.later);
      each.later.clear();
    }
    return left;
  }

  /**
   * Waits until the threads of all askers have ended. On the thread of an asker, returns at once,
   * because other askers may be waiting for that thread.
   */
  void awaitEnd() {
    List<CallBatcher<Call>> closing;
    synchronized (this) {
      closing = List.copyOf(all);
    }
    if (closing.stream().noneMatch(CallBatcher::isThisThread)) {
      closing.forEach(CallBatcher::awaitEnd);
    }
  }
}
