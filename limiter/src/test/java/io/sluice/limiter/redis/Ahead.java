package io.sluice.limiter.redis;

import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Creates the next test data while Redis is tested with the data before. */
final class Ahead {
  private Ahead() {}

  /** Passes on all elements in order, each when it is created. */
  static <T> void forEach(Stream<T> made, Consumer<T> tested) throws Exception {
    Iterator<T> all = made.iterator();
    CompletableFuture<T> next = next(all);
    for (T each = take(next); each != null; each = take(next)) {
      next = next(all);
      tested.accept(each);
    }
  }

  private static <T> CompletableFuture<T> next(Iterator<T> all) {
    return CompletableFuture.supplyAsync(() -> all.hasNext() ? all.next() : null);
  }

  private static <T> T take(CompletableFuture<T> next) throws InterruptedException {
    try {
      return next.get();
    } catch (ExecutionException e) {
      throw new AssertionError("could not be made", e.getCause());
    }
  }
}
