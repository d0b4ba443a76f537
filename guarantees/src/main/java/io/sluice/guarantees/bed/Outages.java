package io.sluice.guarantees.bed;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The times when something was gone that an instance cannot start without. */
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

  /** What happens meanwhile. */
  public interface Meanwhile {
    void happens() throws InterruptedException;
  }

  /** Something is gone until this returns. */
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

  /** What was gone at any time since then, if anything was. */
  public synchronized Optional<String> since(long nanos) {
    return all.stream().filter(each -> each.touches(nanos)).map(each -> each.what).findFirst();
  }
}
