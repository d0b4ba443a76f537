package io.sluice.topology.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.sluice.rules.settings.ConfigurationException;
import io.sluice.rules.settings.EnvironmentSettings;
import io.sluice.rules.settings.LimitSettings;
import io.sluice.rules.settings.PropertiesFile;
import io.sluice.rules.settings.VariableName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@code SLUICE_} variables, valid and invalid ones. */
class EnvironmentSettingsTest {
  private static final String FILE =
      """
      bootstrap.servers=localhost:9092
      application.id=sluice
      sluice.redis.uri=redis://localhost
      sluice.limits=reply,Mass-Mail,a_b
      sluice.limit.reply.quota=5/60s
      sluice.limit.Mass-Mail.quota=1/1h
      sluice.limit.Mass-Mail.match.attributes.listId=x
      sluice.limit.a_b.quota=7/60s
      """;

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "SLUICE_LIMIT_REPLY_QUOTA, sluice.limit.reply.quota",
    "SLUICE_LIMIT_REPLY_REDIS_UNAVAILABLE, sluice.limit.reply.redis.unavailable",
    "SLUICE_LIMIT_MASS___MAIL_QUOTA, sluice.limit.Mass-Mail.quota",
    "SLUICE_LIMIT_MASS___MAIL_DELAY_MAX, sluice.limit.Mass-Mail.delay.max",
    "SLUICE_LIMIT_A__B_QUOTA, sluice.limit.a_b.quota",
    "SLUICE_LIMIT_REPLY_MATCH_USERID, sluice.limit.reply.match.userId",
    "SLUICE_LIMIT_MASS___MAIL_MATCH_ATTRIBUTES_LISTID, sluice.limit.Mass-Mail.match.attributes.listId",
    "SLUICE_LIMIT_REPLY_MATCH_ATTRIBUTES_COUNTRY, sluice.limit.reply.match.attributes.country",
    "SLUICE_TOPICS_DEAD___LETTER, sluice.topics.dead-letter",
    "SLUICE_KAFKA_BOOTSTRAP_SERVERS, bootstrap.servers",
    "SLUICE_KAFKA_MAIN_CONSUMER_MAX_POLL_RECORDS, main.consumer.max.poll.records",
    "SLUICE_KAFKA_SSL_KEYSTORE_PASSWORD, ssl.keystore.password",
  })
  void aVariableStandsForItsKey(String variable, String key) throws IOException {
    Map<String, String> file = PropertiesFile.read(file()).texts();
    EnvironmentSettings read = new EnvironmentSettings(Map.of(variable, "given"), file);

    assertThat(read.variables()).containsExactly(Map.entry(key, variable));
    assertThat(read.overFile()).containsAllEntriesOf(Map.of(key, "given"));
  }

  private static Map<String, String> variables(String file, String... variables)
      throws IOException {
    Map<String, String> environment = new LinkedHashMap<>();
    for (String each : variables) environment.put(each.split("=")[0], each.split("=", 2)[1]);
    Map<String, String> given = new LinkedHashMap<>();
    file.lines().forEach(line -> given.put(line.split("=")[0], line.split("=", 2)[1]));
    return new EnvironmentSettings(environment, given).variables();
  }

  /** Variables have no case, and the names of attributes and topics have. */
  @Test
  void attributesAndTopicsHaveTheCaseInWhichLimitsAndListsNameThem() throws IOException {
    assertThat(
            variables(
                "sluice.limits=a",
                "SLUICE_EVENT_ATTRIBUTE_PLANNAME=plan.name",
                "SLUICE_LIMIT_A_KEY=userId,attributes.planName"))
        .containsEntry("sluice.event.attribute.planName", "SLUICE_EVENT_ATTRIBUTE_PLANNAME");
    assertThat(
            variables(
                "sluice.limits=a\nsluice.limit.a.match.attributes.planName=x\nsluice.limit.a.distinct=target,attributes.listId",
                "SLUICE_EVENT_ATTRIBUTE_PLANNAME=plan.name",
                "SLUICE_EVENT_ATTRIBUTE_LISTID=list",
                "SLUICE_EVENT_ATTRIBUTE_OTHER=o"))
        .containsOnlyKeys(
            "sluice.event.attribute.planName",
            "sluice.event.attribute.listId",
            "sluice.event.attribute.other");
    assertThat(
            variables(
                "sluice.event.attribute.planName=plan.name",
                "SLUICE_LIMITS=a",
                "SLUICE_LIMIT_A_MATCH_ATTRIBUTES_PLANNAME=free"))
        .containsKey("sluice.limit.a.match.attributes.planName");
    assertThat(
            variables(
                "sluice.limits=a\nsluice.limit.a.key=attributes.planName",
                "SLUICE_TOPICS_INPUT=Posts,My.Sms_1",
                "SLUICE_INPUT_POSTS_EVENT_USER=author",
                "SLUICE_INPUT_MY_SMS__1_EVENT_ATTRIBUTE_PLANNAME=p"))
        .containsKeys(
            "sluice.input.Posts.event.user", "sluice.input.My.Sms_1.event.attribute.planName");
  }

  @Test
  void attributesHaveTheCaseInWhichTheOrderOfQueuesNamesThem() throws IOException {
    assertThat(
            variables(
                "sluice.limits=a\nsluice.queue.weight.Acme=2",
                "SLUICE_EVENT_ATTRIBUTE_MAILKIND=kind",
                "SLUICE_EVENT_ATTRIBUTE_TENANTID=tenant.id",
                "SLUICE_QUEUE_PRIORITY=attributes.mailKind",
                "SLUICE_QUEUE_FAIR=attributes.tenantId",
                "SLUICE_QUEUE_WEIGHT_ACME=3",
                "SLUICE_QUEUE_WEIGHT_OTHER=4"))
        .containsOnlyKeys(
            "sluice.event.attribute.mailKind",
            "sluice.event.attribute.tenantId",
            "sluice.queue.priority",
            "sluice.queue.fair",
            "sluice.queue.weight.Acme",
            "sluice.queue.weight.other");
  }

  @Test
  void anAttributeThatLimitsSpellInTwoWaysIsAMistake() throws IOException {
    assertThat(
            mistakes(
                "SLUICE_EVENT_ATTRIBUTE_PLAN=p",
                "SLUICE_LIMIT_REPLY_KEY=userId,attributes.plan",
                "SLUICE_LIMIT_A__B_KEY=userId,attributes.Plan"))
        .contains(
            "SLUICE_EVENT_ATTRIBUTE_PLAN: may mean sluice.event.attribute.plan or"
                + " sluice.event.attribute.Plan, which differ only in case; set them in the file");
  }

  @Test
  void everySettingThereIsHasAVariable() {
    for (String key : CommonSettings.definition().names()) {
      assertThat(VariableName.key(VariableName.of(key))).contains(key);
    }
    for (String name : LimitSettings.definition().names()) {
      String key = name.replace("limit.N.", "limit.a-b__c_d.");
      assertThat(VariableName.key(VariableName.of(key.replace("__", "_").replace(".F", ".action"))))
          .contains(key.replace("__", "_").replace(".F", ".action"));
    }
  }

  @Test
  void aVariableOverridesTheFile() throws IOException {
    SluiceConfig config =
        load(
            "SLUICE_KAFKA_BOOTSTRAP_SERVERS=kafka:9092",
            "SLUICE_LIMIT_A__B_QUOTA=9/60s",
            "SLUICE_LIMIT_REPLY_MATCH_TARGET=a\\,b,c");

    assertThat(config.streams()).containsEntry("bootstrap.servers", "kafka:9092");
    assertThat(config.limits().all().get(2).rule().quota().permits()).isEqualTo(9);
    assertThat(config.limits().all().get(0).match().clauses().get(0).accepted().exact())
        .as("a backslash is itself in a variable")
        .containsExactly("a,b", "c");
    assertThat(ConfigReport.summary(config))
        .contains(
            "environment     sets SLUICE_KAFKA_BOOTSTRAP_SERVERS, SLUICE_LIMIT_A__B_QUOTA,"
                + " SLUICE_LIMIT_REPLY_MATCH_TARGET\n");
  }

  @Test
  void theLimitsThatAVariableListsAreSpelledAsThere() throws IOException {
    SluiceConfig config =
        load("SLUICE_LIMITS=reply,Mass-Mail,a_b,SMS", "SLUICE_LIMIT_SMS_QUOTA=1/2s");

    assertThat(config.limitNames()).containsExactly("reply", "Mass-Mail", "a_b", "SMS");
  }

  @Test
  void aFileThatSaysNothingIsEnoughForVariables() throws IOException {
    Path empty = Files.writeString(folder.resolve("empty.properties"), "");
    Map<String, String> environment =
        Map.of(
            "SLUICE_KAFKA_BOOTSTRAP_SERVERS", "kafka:9092",
            "SLUICE_KAFKA_APPLICATION_ID", "sluice",
            "SLUICE_LIMITS", "reply",
            "SLUICE_LIMIT_REPLY_QUOTA", "5/60s");

    assertThat(SluiceConfig.load(empty, environment).limitNames()).containsExactly("reply");
  }

  @Test
  void mistakesNameTheVariable() throws IOException {
    assertThat(
            mistakes(
                "SLUICE_LIMIT_REPLY_QUOTA=5/fortnight",
                "SLUICE_LIMIT_POST_QUOTA=5/60s",
                "SLUICE_TOPICS_ALOWED=out",
                "SLUICE_BOOTSTRAP_SERVERS=kafka:9092",
                "SLUICE_KAFKA_NUM_STREAM_THREADS=many",
                "SLUICE_LIMIT____X_QUOTA=5/60s"))
        .containsExactly(
            "SLUICE_LIMIT_REPLY_QUOTA=5/fortnight: a quota's period is 500ms, 60s, 10m, 1h, 1d,"
                + " ISO-8601 such as PT1M, or hour, day, week, month or year",
            "SLUICE_BOOTSTRAP_SERVERS: unknown; did you mean SLUICE_KAFKA_BOOTSTRAP_SERVERS?",
            "SLUICE_KAFKA_NUM_STREAM_THREADS=many: Not a number of type INT",
            "SLUICE_LIMIT_POST_QUOTA: limit post is not in sluice.limits=reply,Mass-Mail,a_b",
            "SLUICE_TOPICS_ALOWED: unknown; did you mean SLUICE_TOPICS_ALLOWED?",
            "SLUICE_LIMIT____X_QUOTA: no key has this name; in a variable, _ is a dot, __ is an"
                + " underscore and ___ is a dash");
  }

  @Test
  void whatCaseWouldDecideIsAMistake() throws IOException {
    assertThat(
            mistakes(
                "SLUICE_LIMITS=reply,Reply,Mass-Mail,a_b",
                "SLUICE_LIMIT_REPLY_BURST=3",
                "SLUICE_TIME=wall",
                "SLUICE_Time=event"))
        .contains(
            "SLUICE_LIMIT_REPLY_BURST: may mean sluice.limit.reply.burst or"
                + " sluice.limit.Reply.burst, which differ only in case; set them in the file",
            "SLUICE_Time: sets sluice.time, but SLUICE_TIME sets it too");
  }

  @Test
  void aPasswordIsNotRepeated() throws IOException {
    assertThat(mistakes("SLUICE_REDIS_URI=redis://u:secret@host:port"))
        .singleElement()
        .asString()
        .startsWith("SLUICE_REDIS_URI=")
        .doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SLUICE_JAVA_OPTS=-Xmx1g",
        "SLUICE_SERVICE_HOST=10.0.0.1",
        "SLUICE_SERVICE_PORT=9464",
        "SLUICE_SERVICE_PORT_HTTP=9464",
        "SLUICE_PORT=tcp://10.0.0.1:9464",
        "SLUICE_PORT_9464_TCP=tcp://10.0.0.1:9464",
        "SLUICE_PORT_9464_TCP_PROTO=tcp",
        "SLUICE_METRICS_SERVICE_HOST=10.0.0.1",
        "SLUICE_HTTP_PORT=tcp://10.0.0.1:9464",
        "SLUICEGATE=open",
        "sluice_time=wall",
      })
  void whatTheLauncherAndKubernetesSetIsNoSetting(String variable) throws IOException {
    assertThat(load(variable).variables()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SLUICE_PORT=9464",
        "SLUICE_PORT_HTTP=9464",
        "SLUICE_SERVICE=10.0.0.1",
        "SLUICE_SERVICES_HOST=10.0.0.1",
        "SLUICE_HTTP_ADDRESS=tcp://10.0.0.1:9464",
      })
  void whatOnlyLooksAsIfKubernetesHadSetItIsAMistake(String variable) {
    assertThat(mistakes(variable)).singleElement().asString().contains(": unknown; did you mean ");
  }

  private Path file() throws IOException {
    return Files.writeString(folder.resolve("sluice.properties"), FILE);
  }

  private SluiceConfig load(String... variables) throws IOException {
    return SluiceConfig.load(file(), ConfigText.put(new LinkedHashMap<>(), variables));
  }

  private List<String> mistakes(String... variables) {
    return assertThrows(ConfigurationException.class, () -> load(variables)).mistakes();
  }
}
