package io.sluice.guarantees.bed;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Periods in which a server was down that an instance of Sluice needs to start. Thread-safe. */
public final class Outages {
  private static final class Outage {
    private final String what;
    private long toNanos;
    private boolean over;

    Outage(String what) {
      this.what = what;
    }

    boolean touches(long sinceNanos) {
      return !over || toNanos - sinceNanos >= 0;
    }
  }

  private final List<Outage> all = new ArrayList<>();

  /** Code that runs while a server is down. */
  public interface Meanwhile {
    void happens() throws InterruptedException;
  }

  /** Records an outage of a server that lasts until the given code returns. */
  public void during(String what, Meanwhile meanwhile) throws InterruptedException {
    Outage outage = new Outage(what);
    synchronized (this) {
      all.add(outage);
    }
    try {
      meanwhile.happens();
    } finally {
      synchronized (this) {
        outage.toNanos = System.nanoTime();
        outage.over = true;
      }
    }
  }

  /**
   * Returns the cause of an outage that ended at or after the given time of {@link
   * System#nanoTime}, or that still lasts; empty if there is no such outage.
   */
  public synchronized Optional<String> since(long nanos) {
    return all.stream().filter(each -> each.touches(nanos)).map(each -> each.what).findFirst();
  }
}
