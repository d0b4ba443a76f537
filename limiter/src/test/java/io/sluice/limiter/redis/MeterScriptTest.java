package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.limiter.Algorithm;
import io.sluice.limiter.Arrival;
import io.sluice.limiter.Bucket;
import io.sluice.limiter.Change;
import io.sluice.limiter.Outcome;
import io.sluice.limiter.Quota;
import io.sluice.limiter.Rule;
import io.sluice.limiter.redis.CallRules.RuleField;
import io.sluice.limiter.redis.RedisMeter.Request;
import io.sluice.limiter.redis.ScriptCall.AnonymousNames;
import io.sluice.limiter.redis.ScriptPipeline.Link;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.args.Rawable;

/** Compares the numbers that Java and Lua share. */
class MeterScriptTest {
  private static final String SCRIPT = new String(MeterScript.text().toByteArray(), UTF_8);

  private static final Pattern CONSTANTS =
      Pattern.compile("(?m)^local ([A-Z_]+(?:,\\s+[A-Z_]+)*)\\s+=\\s+(-?\\d+(?:,\\s+-?\\d+)*)$");

  private static final Map<String, Integer> IN_LUA = constants();

  private static final Rule RULE = Rule.policing("reply", Quota.parse("5/60s"), Algorithm.GCRA);

  /** Returns the constants that the script declares as {@code local NAME, OTHER = 1, 2}. */
  private static Map<String, Integer> constants() {
    Map<String, Integer> constants = new HashMap<>();
    for (Matcher each = CONSTANTS.matcher(SCRIPT); each.find(); ) {
      String[] names = each.group(1).split(",\\s+");
      String[] values = each.group(2).split(",\\s+");
      for (int i = 0; i < names.length; i++) {
        constants.put(names[i], Integer.parseInt(values[i]));
      }
    }
    return constants;
  }

  /** Finds the variables that the script reads from this argument, and their format. */
  private static Matcher unpacked(String argument, String first) {
    Matcher unpacked =
        Pattern.compile(
                first + "((?:,\\s+[\\w.]+)*)\\s+=\\s+unpack\\('<(\\w+)', " + argument + ", \\w+\\)")
            .matcher(SCRIPT);
    assertThat(unpacked.find()).as("where %s is read from %s", first, argument).isTrue();
    return unpacked;
  }

  /** Returns the size of a format that has doubles, and 8 bytes as they are. */
  private static int bytes(String form) {
    return Long.BYTES * form.replace("c8", "d").length();
  }

  private static byte[] argument(int index, Bucket... buckets) {
    return arguments(buckets).get(3 + buckets.length + index); // EVAL, script, number of keys, keys
  }

  private static List<byte[]> arguments(Bucket... buckets) {
    ScriptCall call = new ScriptCall(new RedisKeys("sluice"), new AnonymousNames(), 0, 0);
    call.take(Request.of(new Arrival("event", 1, 1), List.of(buckets)));
    List<byte[]> all = new ArrayList<>();
    for (Rawable each : call.command(Command.EVAL, new byte[0], Link.NONE)) all.add(each.getRaw());
    return all;
  }

  @Test
  void aRulesFieldsAreReadInTheirOrder() {
    Matcher read = unpacked("rows", "kind");
    List<String> names = Arrays.asList(("kind" + read.group(1)).split(",\\s+"));
    assertThat(names.stream().map(MeterScriptTest::upperCase))
        .isEqualTo(RuleField.ALL.stream().map(RuleField::name).toList());
    assertThat(read.group(2)).isEqualTo("d".repeat(RuleField.ALL.size()));
    assertThat(IN_LUA.get("RULE_BYTES")).isEqualTo(argument(1, new Bucket(RULE, "a")).length);
  }

  @Test
  void aPhaseIsAsLongAsWhatIsRead() {
    Quota other = Quota.parse("6/60s");
    Rule changing = RULE.changing(List.of(new Change.Numbers(1, other, 0), new Change.Reset(2)));
    int phase = bytes(unpacked("ARGV\\[7\\]", "from").group(2)) + IN_LUA.get("RULE_BYTES");
    assertThat(argument(6, new Bucket(changing, "a")).length)
        .isEqualTo(bytes(unpacked("ARGV\\[7\\]", "number").group(2)) + 2 * phase);
  }

  @Test
  void whatABlockTakesIsAsLongAsWhatIsRead() {
    Change change = new Change.Numbers(1, Quota.parse("6/60s"), 0, 9);
    Rule blocking = RULE.blocking(7).changing(List.of(change));
    assertThat(argument(7, new Bucket(RULE.blocking(7), "a"))).hasSize(5 * Double.BYTES);
    assertThat(argument(6, new Bucket(RULE.blocking(7), "a"))).isEmpty();
    assertThat(argument(7, new Bucket(blocking, "a"))).hasSize(6 * Double.BYTES);
  }

  @Test
  void aRuleThatDoesNotChangeBringsNothingMore() {
    assertThat(arguments(new Bucket(RULE, "a"))).hasSize(4 + 6);
    assertThat(argument(1, new Bucket(RULE, "a"))).hasSize(72);
    assertThat(argument(2, new Bucket(RULE, "a"))).hasSize(120);
  }

  private static String upperCase(String camelCase) {
    return camelCase.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }

  @Test
  void anArrivalAndItsBucketsAreAsLongAsWhatIsRead() {
    int arrival = argument(2).length;
    assertThat(arrival).isEqualTo(bytes(unpacked("ARGV\\[3\\]", "given").group(2)));
    assertThat(argument(2, new Bucket(RULE, "a")).length - arrival)
        .isEqualTo(bytes(unpacked("ARGV\\[3\\]", "rule").group(2)));
  }

  @Test
  void aLineOfTheScriptForReleasesIsNamedByItsPart() {
    String releases = new String(MeterScript.textOfReleases().toByteArray(), UTF_8);
    long last = releases.lines().count();
    assertThat(MeterScript.located("user_script:" + last + ": no")).matches("queue.lua:[0-9]+: no");
    assertThat(MeterScript.located("user_script:1: no")).isEqualTo("protocol.lua:1: no");
  }

  @Test
  void flagsAndAnswersHaveTheSameNumbers() {
    assertThat(IN_LUA)
        .containsEntry("REFUSED_ELSEWHERE", ScriptCall.REFUSED_ELSEWHERE)
        .containsEntry("ANONYMOUS", ScriptCall.ANONYMOUS)
        .containsEntry("CLAIMED", ScriptCall.CLAIMED)
        .containsEntry("MAY_BE_DUPLICATE", ScriptCall.MAY_BE_DUPLICATE)
        .containsEntry("ENFORCED_ELSEWHERE", ScriptCall.ENFORCED_ELSEWHERE)
        .containsEntry("TWO_JOURNALS", ScriptCall.TWO_JOURNALS)
        .containsEntry("ONLY_ASKS", ScriptCall.ONLY_ASKS)
        .containsEntry("NEVER", (int) ScriptReply.NEVER)
        .containsEntry("LATER", (int) ScriptReply.LATER)
        .containsEntry("NOT_CHARGED", (int) ScriptReply.NOT_CHARGED)
        .containsEntry("LACKS", ScriptReply.LACKS)
        .containsEntry("FAILED", ScriptReply.FAILED)
        .containsEntry("BEHIND", ScriptReply.BEHIND)
        .containsEntry("FENCED", ScriptReply.FENCED)
        .containsEntry("BEGUN", ScriptReply.BEGUN)
        .containsEntry("ENDS", CallRules.ENDS)
        .containsEntry("SHUT", (int) ScriptReply.SHUT)
        .containsEntry("CHANGED", ScriptReply.CHANGED)
        .containsEntry("BLOCKED", ScriptReply.BLOCKED);
    for (Outcome.Kind each : Outcome.Kind.values()) {
      assertThat(IN_LUA).containsEntry(each.name(), each.ordinal());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAlgorithmsCodeLeadsToItsFunctions(Algorithm algorithm) {
    String name = algorithm.script().name();
    assertThat(SCRIPT).containsPattern("(?m)^local " + name + " = \\{");
    assertThat(SCRIPT)
        .containsPattern("local kinds = .*\\[" + algorithm.script().code() + "] = " + name + "\\b");
    for (String each : List.of("load", "look", "conformsAt", "charge", "save", "facts")) {
      assertThat(SCRIPT).contains("function " + name + "." + each + "(");
    }
    boolean reserves =
        Pattern.compile("local " + name + " = \\{.*\\breserves = true").matcher(SCRIPT).find();
    assertThat(reserves).isEqualTo(algorithm.canReserve());
  }
}
