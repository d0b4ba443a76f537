package io.sluice.rules.revision;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.sluice.rules.event.FieldForms;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Change of a limit, or of the treatment of some events under it, for a period.
 *
 * @param id a later revision with the same id replaces this one
 * @param limit a limit's name, or {@link #EVERY_LIMIT}
 * @param effectiveAtMs the first instant at which the revision holds, in epoch milliseconds
 * @param untilMs the first instant at which the revision no longer holds, in epoch milliseconds;
 *     {@link #FOR_GOOD} if there is none
 * @param by author of the change; empty if not given
 * @param note reason for the change; empty if not given
 */
public record LimitRevision(
    String id,
    String limit,
    Scope scope,
    Settings set,
    long effectiveAtMs,
    long untilMs,
    String by,
    String note) {
  public static final String EVERY_LIMIT = "*";
  public static final long FOR_GOOD = Long.MAX_VALUE;

  /** Order in which the revisions of one scope are applied: by effective time, then by id. */
  public static final Comparator<LimitRevision> ORDER =
      Comparator.comparingLong(LimitRevision::effectiveAtMs).thenComparing(LimitRevision::id);

  public boolean isForEveryLimit() {
    return limit.equals(EVERY_LIMIT);
  }

  /** Returns a copy of the revision with other settings. */
  LimitRevision with(Settings other) {
    return new LimitRevision(id, limit, scope, other, effectiveAtMs, untilMs, by, note);
  }

  /** Returns the revision with the values of its scope in the form in which events have them. */
  LimitRevision inForm(FieldForms forms) {
    Scope formed = scope.inForm(forms);
    return formed.equals(scope)
        ? this
        : new LimitRevision(id, limit, formed, set, effectiveAtMs, untilMs, by, note);
  }

  boolean isActiveAt(long ms) {
    return effectiveAtMs <= ms && ms < untilMs;
  }

  /**
   * Thrown if bytes are not a revision; the message says in one line which field is wrong, and why.
   */
  public static final class UnreadableRevisionException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableRevisionException(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Settings that a revision changes.
   *
   * @param texts values by name of the setting, as under {@code sluice.limit.N.}
   * @param back settings that return to their values without the revisions of the same scope
   */
  public record Settings(Map<String, String> texts, Set<String> back) {
    public static final String VERDICT = "verdict";
    public static final String RESET = "reset";
    public static final String ENABLED = "enabled";

    /** Value of {@link #VERDICT} that makes events wait in line. */
    static final String PAUSE = "pause";

    private static final Set<String> LASTING = Set.of("allow", "reject");
    private static final String EXCEEDED = "exceeded";
    private static final String MODE = "mode";
    private static final Set<String> OF_MATCH = Set.of(ENABLED, "unless", LimitRules.KEY_MISSING);

    public Settings {
      texts =
          texts.entrySet().stream()
              .collect(toUnmodifiableMap(Map.Entry::getKey, each -> each.getValue().trim()));
      back = Set.copyOf(back);
    }

    /**
     * Returns whether these settings set {@code exceeded=delay}, so that events over the limit
     * wait.
     */
    boolean delays() {
      return texts.getOrDefault(EXCEEDED, "").equalsIgnoreCase("delay");
    }

    /** Returns whether these settings set {@code exceeded=queue}. */
    boolean queues() {
      return texts.getOrDefault(EXCEEDED, "").equalsIgnoreCase("queue");
    }

    /** Returns whether these settings set {@code verdict=pause}. */
    public boolean pauses() {
      return texts.getOrDefault(VERDICT, "").equals(PAUSE);
    }

    /** Returns whether these settings set {@code exceeded=retry}. */
    boolean retries() {
      return texts.getOrDefault(EXCEEDED, "").equalsIgnoreCase("retry");
    }

    /** Returns whether these settings set {@code mode=enforce}. */
    boolean enforces() {
      return texts.getOrDefault(MODE, "").equalsIgnoreCase("enforce");
    }

    /** Returns whether these settings change whether and how events wait. */
    boolean saysWaiting() {
      return names(EXCEEDED) || names(MODE);
    }

    /** Returns whether these settings change which events wait, or how. */
    boolean changesWaiting() {
      return saysWaiting()
          || OF_MATCH.stream().anyMatch(this::names)
          || names().stream().anyMatch(name -> name.startsWith("match."));
    }

    private boolean names(String setting) {
      return texts.containsKey(setting) || back.contains(setting);
    }

    /** Returns the names of all settings that the revision changes, in alphabetical order. */
    public Set<String> names() {
      Set<String> names = new TreeSet<>(texts.keySet());
      names.addAll(back);
      return names;
    }

    /**
     * Returns whether the revision resets buckets, so that they begin anew, at its effective time.
     */
    public boolean resets() {
      return texts.containsKey(RESET);
    }

    /**
     * Returns the settings of a scope's earlier revisions, overlaid by these settings; a reset is
     * left out. A pause does not replace a denial or an exemption.
     */
    public Map<String, String> over(Map<String, String> own) {
      if (own.isEmpty() && !resets()) return texts;
      Map<String, String> both = new TreeMap<>(own);
      both.putAll(texts);
      String verdict = own.getOrDefault(VERDICT, "");
      if (pauses() && LASTING.contains(verdict)) both.put(VERDICT, verdict);
      both.keySet().removeAll(back);
      both.remove(RESET);
      return Map.copyOf(both);
    }
  }
}
