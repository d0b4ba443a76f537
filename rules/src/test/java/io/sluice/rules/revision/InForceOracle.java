package io.sluice.rules.revision;

import io.sluice.rules.event.Event;
import io.sluice.rules.event.Field;
import io.sluice.rules.settings.LimitTexts;
import io.sluice.rules.settings.LimitsConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Computes the limits in force by brute force from the manual's sentences: at every cut up to the
 * instant, all revisions are put in their order and applied one by one to a map of texts.
 */
final class InForceOracle {
  private final LimitsConfig config;
  private final List<LimitRevision> all;

  /**
   * Expected treatment of an event; the texts of settings are empty if the limit is not in force.
   */
  record Answer(Map<String, String> texts, String verdict, List<Long> resets) {}

  InForceOracle(LimitsConfig config, Iterable<LimitRevision> revisions) {
    this.config = config;
    all = new ArrayList<>();
    revisions.forEach(all::add);
    all.sort(Comparator.comparing(LimitRevision::effectiveAtMs).thenComparing(LimitRevision::id));
  }

  Answer at(String limit, Event event, long ms) {
    TreeSet<Long> cuts = new TreeSet<>();
    for (LimitRevision each : all) {
      cuts.add(each.effectiveAtMs());
      cuts.add(each.untilMs());
    }
    cuts.add(ms);
    State state = new State(limit, event);
    for (long cut : cuts.headSet(ms, true)) state.moveTo(cut);
    String verdict = state.texts.getOrDefault("verdict", "");
    String ofAll = everyLimit(event, ms);
    state.texts.remove("verdict");
    state.resets.addAll(resetsOfAll(limit, event, ms));
    return new Answer(
        state.isThere() ? state.texts : Map.of(),
        !verdict.isEmpty() ? verdict : ofAll.equals("pause") ? "meter" : ofAll,
        List.copyOf(state.resets));
  }

  private List<Long> resetsOfAll(String limit, Event event, long ms) {
    return all.stream()
        .filter(each -> each.limit().equals("*") && each.effectiveAtMs() <= ms)
        .filter(each -> applies(each, event, each.effectiveAtMs()) && isForAll(each))
        .filter(each -> each.set().texts().containsKey("reset"))
        .filter(each -> !limit.equals("reply") || isOfUsers(each))
        .map(LimitRevision::effectiveAtMs)
        .toList();
  }

  /**
   * Returns whether the scope is of users: the key of reply is the user, that of dm has all fields.
   */
  private static boolean isOfUsers(LimitRevision each) {
    return each.scope().fields().toString().equals("userId");
  }

  private static boolean isForAll(LimitRevision each) {
    Set<String> names = each.set().names();
    boolean pauses =
        names.equals(Set.of("verdict"))
            && each.set().texts().getOrDefault("verdict", "pause").equals("pause");
    return names.stream().allMatch(n -> n.equals("verdict") || n.equals("reset"))
        && (pauses || !each.scope().values().isEmpty())
        && !each.set().back().contains("reset");
  }

  /** Returns the verdict of the revisions for all limits; meter if there is none. */
  String everyLimit(Event event, long ms) {
    String verdict = "meter";
    Map<Scope, String> own = new HashMap<>();
    for (LimitRevision each : all) {
      if (!each.limit().equals("*") || !applies(each, event, ms)) continue;
      if (!isForAll(each)) continue;
      if (each.set().back().contains("verdict")) own.remove(each.scope());
      String said = each.set().texts().get("verdict");
      if (said != null) own.merge(each.scope(), said, InForceOracle::later);
    }
    // One field or both; of single fields, the user comes before the target.
    String[] best = {"", "target", "userId", "userId,target"};
    for (String fields : best) {
      for (Map.Entry<Scope, String> each : own.entrySet()) {
        if (each.getKey().fields().toString().equals(fields))
          verdict = later(verdict, each.getValue());
      }
    }
    return verdict;
  }

  /** Returns the verdict that follows when another one is said: no pause lifts what is final. */
  private static String later(String before, String said) {
    boolean isFinal = before.equals("allow") || before.equals("reject");
    return said.equals("pause") && isFinal ? before : said;
  }

  private static boolean applies(LimitRevision each, Event event, long ms) {
    boolean now = each.effectiveAtMs() <= ms && ms < each.untilMs();
    List<Field> fields = each.scope().fields().fields();
    for (int i = 0; i < fields.size(); i++) {
      now &= fields.get(i).of(event).equals(each.scope().values().get(i));
    }
    return now;
  }

  /** State of one limit for one event, at one instant after another. */
  private final class State {
    private final String limit;
    private final Event event;
    private final Map<String, String> file;
    private final TreeSet<Long> resets = new TreeSet<>();
    private Map<String, String> texts = Map.of();
    private String key = "";
    private String algorithm = "";

    State(String limit, Event event) {
      this.limit = limit;
      this.event = event;
      file = config.texts().given().getOrDefault(limit, Map.of());
      if (exists(file)) algorithm = algorithm(file);
    }

    boolean isThere() {
      return exists(texts) && !texts.getOrDefault("enabled", "true").equals("false");
    }

    private boolean exists(Map<String, String> some) {
      return some.containsKey("quota");
    }

    void moveTo(long ms) {
      texts = new TreeMap<>(file);
      if (exists(texts)) key = file.getOrDefault("key", "userId");
      String order = key;
      fold("", ms);
      if (!exists(texts)) return;
      if (order.isEmpty()) order = key;
      String[] fields = order.split(",");
      // The weakest first: of single fields, the last one in the key.
      for (int i = fields.length - 1; i >= 0; i--) fold(fields[i], ms);
      if (fields.length > 1) fold("userId,target", ms);
      String now = algorithm(texts);
      if (!algorithm.isEmpty() && !algorithm.equals(now)) resets.add(ms);
      algorithm = now;
    }

    /** Returns everything that counts depend on, except the numbers of the quota. */
    private static String algorithm(Map<String, String> some) {
      String unit = some.get("quota").replaceAll(".*/([0-9].*)?", "");
      String usual = unit.isEmpty() ? "funnel" : "calendar-window";
      return some.getOrDefault("algorithm", usual) + unit + some.getOrDefault("zone", "UTC");
    }

    private void fold(String fields, long ms) {
      Map<String, String> wider = texts;
      Map<String, String> own = new TreeMap<>();
      for (LimitRevision each : all) {
        if (!each.limit().equals(limit) || !applies(each, event, ms)) continue;
        if (!each.scope().fields().toString().equals(fields)) continue;
        Map<String, String> next = new TreeMap<>(own);
        String before = own.getOrDefault("verdict", "");
        next.putAll(each.set().texts());
        next.computeIfPresent("verdict", (name, said) -> later(before, said));
        next.keySet().removeAll(each.set().back());
        boolean resets = next.remove("reset") != null;
        Map<String, String> result = new TreeMap<>(wider);
        result.putAll(next);
        if (!isFine(each, wider, result)) continue;
        own = next;
        texts = result;
        if (key.isEmpty()) key = result.getOrDefault("key", "userId");
        if (resets && each.effectiveAtMs() == ms) this.resets.add(ms);
      }
    }

    private boolean isFine(
        LimitRevision each, Map<String, String> wider, Map<String, String> result) {
      if (each.set().names().isEmpty() || each.set().back().contains("reset")) return false;
      if (each.effectiveAtMs() >= each.untilMs()) return false;
      boolean some = !each.scope().values().isEmpty();
      if (some && each.set().names().contains("enabled")) return false;
      if (some && each.set().names().stream().anyMatch(n -> n.startsWith("match."))) return false;
      if (!exists(wider)) {
        String enabled = result.getOrDefault("enabled", "");
        if (!enabled.equals("true") && !(enabled.equals("false") && exists(texts))) return false;
      }
      // None of these limits has a queue.
      if (result.getOrDefault("verdict", "").equals("pause")) return false;
      Map<String, String> plain = new TreeMap<>(result);
      plain.keySet().removeAll(List.of("enabled", "verdict"));
      LimitTexts.Reading read = config.texts().read(limit, plain);
      if (!read.mistakes().isEmpty()) return false;
      if (!key.isEmpty() && !read.limit().key().toString().equals(key)) return false;
      return read.limit().key().fields().contains(Field.USER_ID);
    }
  }
}
