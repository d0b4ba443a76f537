package io.sluice.runtime.cluster;

import io.sluice.runtime.cluster.GroupMembers.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watch of the consumer group while this instance joins it. It logs the members for which the group
 * waits, and detects that another application uses the group, which two applications that start at
 * the same moment cannot notice earlier.
 */
final class GroupWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GroupWatch.class);
  private static final long PAUSE_MS = 1_000;
  private static final int LOOKS_BEFORE_SAYING_SO = 5;

  private final GroupCheck check;
  private final Admin admin;
  private final GroupReader reader;
  private final Supplier<Set<String>> ourClientIds;
  private final Joining joining;
  private final Thread looking = new Thread(this::lookOnAndOn, "sluice-group");
  private final Semaphore wake = new Semaphore(0);
  private int looks;
  private volatile boolean running;
  private volatile boolean ended;

  /** Receiver of the result of joining the group. */
  interface Joining {
    /** Called when the instance is a member of its own application's group; may be called again. */
    void joined();

    /** Called when the group belongs to another application, with the reason in one line. */
    void refused(String why);
  }

  /**
   * Creates a watch that is not started.
   *
   * @param admin closed by {@link #close} only, since other classes use it too
   * @param ourClientIds supplies the client ids of this instance's own members
   */
  GroupWatch(GroupCheck check, Admin admin, Supplier<Set<String>> ourClientIds, Joining joining) {
    this.check = check;
    this.admin = admin;
    this.reader = new GroupReader(admin, check.applicationId());
    this.ourClientIds = ourClientIds;
    this.joining = joining;
    looking.setDaemon(true);
  }

  void start() {
    looking.start();
  }

  /**
   * Called when partitions have been assigned; the group is then read at once, since a caller may
   * wait for readiness.
   */
  void running() {
    running = true;
    wake.release();
  }

  private void lookOnAndOn() {
    try {
      while (!ended) {
        if (wake.tryAcquire(PAUSE_MS, TimeUnit.MILLISECONDS)) wake.drainPermits();
        if (!ended) look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Reads the group once, and reports the result. If the broker does not answer, or refuses, the
   * instance may run nevertheless.
   */
  private void look() throws InterruptedException {
    try {
      look(reader.read());
    } catch (ExecutionException | RuntimeException e) {
      LOG.debug("the group cannot be read", e);
      if (running) joining.joined();
    }
  }

  private void look(GroupMembers group) {
    Optional<String> problem = check.problemWithin(group);
    if (problem.isPresent()) {
      ended = true;
      joining.refused(problem.get());
    } else if (running) {
      joining.joined();
      ended = group.gathered();
    } else if (!group.gathered() && ++looks == LOOKS_BEFORE_SAYING_SO) {
      sayWhoIsWaitedFor(group);
    }
  }

  private void sayWhoIsWaitedFor(GroupMembers group) {
    List<Member> others = GroupCheck.others(group, ourClientIds.get());
    if (others.isEmpty()) return;
    LOG.info(
        "waiting for the group of application.id={}: {} must answer; if it was killed, this lasts until its session.timeout.ms is over, 15 s by default",
        check.applicationId(),
        GroupMembers.named(others));
  }

  @Override
  public void close() {
    ended = true;
    wake.release();
    admin.close(Duration.ZERO);
  }
}
