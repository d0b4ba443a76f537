package io.sluice.topology.config;

import static io.sluice.topology.config.ConfigText.config;
import static io.sluice.topology.config.ConfigText.mistakes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.sluice.events.EventSelectors;
import io.sluice.events.Role;
import io.sluice.rules.settings.LimitTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventSettingsTest {
  private static final String CLICK =
      """
      {"type": "record", "name": "Click", "fields": [
        {"name": "user", "type": "long"}, {"name": "action", "type": "string"}]}\
      """;

  private static final String HINT =
      "a name of other characters than letters, digits, _ and - goes into double quotes";

  @TempDir private Path folder;

  @Test
  void withoutSettingsTheNamesAreThoseOfUserAction() {
    for (Role role : Role.values()) {
      assertThat(text(config(), role)).isEqualTo(EventSelectors.DEFAULT.text(role));
    }
    assertThat(config().schemas().isGiven()).isFalse();
  }

  private static String text(SluiceConfig config, Role role) {
    return config.selectors().common().text(role);
  }

  @Test
  void theEndOfAnEventHasASelectorOnlyIfItIsSet() {
    assertThat(text(config(), Role.EXPIRES)).isEmpty();
    assertThat(text(config("sluice.event.expires=otp.until // until"), Role.EXPIRES))
        .isEqualTo("otp.until // until");
    assertThat(
            config("sluice.input.user-actions.event.expires=end")
                .selectors()
                .of("user-actions")
                .text(Role.EXPIRES))
        .isEqualTo("end");
    assertThat(mistakes("sluice.event.expires=to[]"))
        .containsExactly(
            "sluice.event.expires=to[]: a list has no single value: add | count, or an index");
    assertThat(mistakes("sluice.event.expires=target.until"))
        .containsExactly(
            "sluice.event.expires=target.until: leads through the target (target), which is a field"
                + " of its own");
    assertThat(ConfigReport.summary(config("sluice.event.expires=until")))
        .contains("expires: until");
  }

  private static final String LIST = "sluice.event.attribute.to=to[].address";

  @Test
  void onlyDistinctCountsTheElementsOfAList() {
    String mistake =
        "a list has no single value: add | count, or an index; or count its elements with a limit's"
            + " distinct=attributes.to";
    assertThat(mistakes(LIST)).containsExactly(LIST + ": " + mistake);
    String ofTopic = "sluice.input.user-actions.event.attribute.to=to[]";
    assertThat(mistakes(ofTopic)).containsExactly(ofTopic + ": " + mistake);
    String[] counted = {
      LIST,
      "sluice.limits=reply,people",
      "sluice.limit.people.algorithm=sliding-window-log",
      "sluice.limit.people.distinct=attributes.to",
      "sluice.limit.people.quota=9/1h"
    };
    assertThat(config(counted).selectors().lists()).containsExactly("to");
  }

  @Test
  void aListIsNoKeyNoMatchAndNoZone() {
    String why =
        "attributes.to is a list, since its selector has []; only distinct can count its elements";
    assertThat(
            mistakes(
                LIST,
                "sluice.event.attribute.cc=cc[]",
                "sluice.limits=reply,people",
                "sluice.limit.people.match.attributes.to=bob",
                "sluice.limit.people.key=userId,attributes.to",
                "sluice.limit.people.algorithm=hyperloglog",
                "sluice.limit.people.distinct=attributes.cc,target,attributes.to",
                "sluice.limit.people.quota=9/1h"))
        .containsExactly(
            "sluice.limit.people.match.attributes.to=bob: " + why,
            "sluice.limit.people.key=userId,attributes.to: " + why,
            "sluice.limit.people.distinct=attributes.cc,target,attributes.to: only one of the fields"
                + " can be a list, and attributes.cc and attributes.to are lists");
  }

  @Test
  void aChangeOfLimitsCannotUseAListEither() {
    LimitTexts texts =
        config(
                LIST,
                "sluice.limits=reply,people",
                "sluice.limit.people.algorithm=sliding-window-log",
                "sluice.limit.people.distinct=attributes.to",
                "sluice.limit.people.quota=9/1h")
            .limitTexts();

    assertThat(texts.read("new", Map.of("quota", "1/1s", "key", "attributes.to")).mistakes())
        .hasSize(1)
        .allMatch(line -> line.contains("attributes.to is a list"));
    assertThat(texts.read("people", texts.given().get("people")).mistakes()).isEmpty();
  }

  @Test
  void pathsThatChangePlacesAreNoMistake() {
    SluiceConfig config = config("sluice.event.user=target", "sluice.event.target=userId");

    assertThat(text(config, Role.USER)).isEqualTo("target");
    assertThat(text(config, Role.TARGET)).isEqualTo("userId");
  }

  @Test
  void anEmptyPathIsAFieldThatEventsDoNotHave() {
    assertThat(text(config("sluice.event.cost="), Role.COST)).isEmpty();
    assertThat(text(config("sluice.event.action="), Role.ACTION)).isEmpty();
    assertThat(mistakes("sluice.event.user="))
        .containsExactly(
            "sluice.event.user=: at character 1: the selector ends where a name is expected");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          a. ! at character 3: the selector ends where a name is expected
          .a ! at character 1: '.' where a name is expected; HINT
          a..b ! at character 3: '.' where a name is expected; HINT
          . ! at character 1: '.' where a name is expected; HINT
          a. b. ! at character 6: the selector ends where a name is expected
          a b ! at character 3: 'b' where //, | or the end is expected; HINT
          a,b ! at character 2: ',' where //, | or the end is expected; HINT
          ip/24 ! at character 3: '/' where //, | or the end is expected; HINT
          >a ! at character 1: '>' where a name is expected; HINT
          a | up ! at character 5: up is not a function; functions are
          """)
  void whatIsNoSelectorIsAMistakeWithItsPlace(String text, String why) {
    assertThat(mistakes("sluice.event.id=" + text))
        .singleElement(STRING)
        .startsWith("sluice.event.id=" + text + ": " + why.replace("HINT", HINT));
  }

  @Test
  void theSummaryNamesTheFieldsThatAreElsewhere() {
    assertThat(ConfigReport.summary(config())).doesNotContain("fields");
    assertThat(ConfigReport.summary(config("sluice.event.user=customer.id", "sluice.event.cost=")))
        .containsPattern("fields +user: customer.id, cost: none\n");
  }

  @Test
  void pathsThatLeadThroughAnotherFieldAreAMistake() {
    assertThat(mistakes("sluice.event.user=who", "sluice.event.target=who.name"))
        .containsExactly(
            "sluice.event.target=who.name: leads through the user (who), which is a field of its"
                + " own");
    assertThat(mistakes("sluice.event.user=action.user"))
        .containsExactly(
            "sluice.event.user=action.user: leads through the action (action), which is a field of"
                + " its own");
    assertThat(mistakes("sluice.event.action=userId[0]"))
        .containsExactly(
            "sluice.event.action=userId[0]: leads through the user (userId), which is a field of"
                + " its own");
    assertThat(mistakes("sluice.event.attributes=userId.x"))
        .containsExactly(
            "sluice.event.attributes=userId.x: leads through the user (userId), which is a field of"
                + " its own");
  }

  @Test
  void theAttributesAreNoField() {
    assertThat(mistakes("sluice.event.attributes=userId"))
        .containsExactly(
            "sluice.event.attributes=userId: the user and the attributes are at one path (userId)");
    assertThat(mistakes("sluice.event.user=attributes"))
        .containsExactly(
            "sluice.event.user=attributes: the user and the attributes are at one path"
                + " (attributes)");
  }

  @Test
  void fieldsMayReadTheSameValue() {
    assertThat(text(config("sluice.event.user=action"), Role.USER)).isEqualTo("action");
    assertThat(text(config("sluice.event.user=attributes.user"), Role.USER))
        .isEqualTo("attributes.user");
    assertThat(text(config("sluice.event.attributes=."), Role.ATTRIBUTES)).isEqualTo(".");
  }

  /** Only one of two plain paths can have a value, but an alternative may have one. */
  @Test
  void anAlternativeMayLeadThroughAnotherField() {
    SluiceConfig config = config("sluice.event.user=who // name", "sluice.event.target=who.name");

    assertThat(text(config, Role.USER)).isEqualTo("who // name");
  }

  @Test
  void aMisspelledKeyIsAnsweredWithTheNearest() {
    assertThat(mistakes("sluice.event.usr=x", "sluice.schemas.uri=http://localhost"))
        .containsExactly(
            "sluice.event.usr: unknown; did you mean sluice.event.user?",
            "sluice.schemas.uri: unknown; did you mean sluice.schemas.url?");
  }

  @Test
  void aTopicHasOnlySettingsOfItsEvents() {
    assertThat(
            config("sluice.event.user=who", "sluice.input.user-actions.event.user=$key")
                .selectors()
                .of("user-actions")
                .text(Role.USER))
        .isEqualTo("$key");
    assertThat(mistakes("sluice.input.user-actions.event.missing=allow"))
        .hasSize(1)
        .allMatch(line -> line.contains("unknown; did you mean"));
    assertThat(mistakes("sluice.event.attribute.ip/24=ip"))
        .hasSize(1)
        .allMatch(line -> line.startsWith("sluice.event.attribute.ip/24=ip: the name of an"));
    assertThat(mistakes("sluice.input.other.event.user=$key")).hasSize(1);
    assertThat(mistakes("sluice.input.user-actions.event.user=a,b"))
        .hasSize(1)
        .allMatch(line -> line.contains("at character 2: ','"));
  }

  @Test
  void theLeastCostIsAWholeNumberThatEventsCanReach() {
    assertThat(config().selectors().common().leastCost()).isEqualTo(1);
    assertThat(config("sluice.event.cost.min=0").selectors().common().leastCost()).isZero();
    assertThat(mistakes("sluice.event.cost.min=-1"))
        .containsExactly("sluice.event.cost.min=-1: a whole number, at least 0");
    assertThat(mistakes("sluice.event.cost=", "sluice.event.cost.min=2"))
        .containsExactly(
            "sluice.event.cost.min=2: without sluice.event.cost every event costs 1, so all would"
                + " be dead letters");
  }

  @Test
  void thePasswordIsNeverShown() {
    String password = "sluice.schemas.password=s3cret";
    assertThat(mistakes(password))
        .containsExactly(
            "sluice.schemas.password: only applies with sluice.schemas.url",
            "sluice.schemas.user: missing; sluice.schemas.password requires it");
    SluiceConfig config =
        config("sluice.schemas.url=http://localhost:8081/", "sluice.schemas.user=ann", password);

    assertThat(ConfigReport.summary(config))
        .contains("http://localhost:8081, as ann")
        .doesNotContain("s3cret");
    assertThat(config.schemas().toString()).doesNotContain("s3cret");
    assertThat(ConfigReport.warnings(config)).noneMatch(line -> line.contains("s3cret"));
  }

  @Test
  void aUserComesWithAPasswordAndWithARegistry() {
    assertThat(mistakes("sluice.schemas.url=http://localhost", "sluice.schemas.user=ann"))
        .containsExactly("sluice.schemas.password: missing; sluice.schemas.user requires it");
    assertThat(mistakes("sluice.schemas.user=ann", "sluice.schemas.password=x"))
        .containsExactly(
            "sluice.schemas.user=ann: only applies with sluice.schemas.url",
            "sluice.schemas.password: only applies with sluice.schemas.url");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost:8081", "ftp://host", "http://", "http://host?x=1", "http:// h"})
  void whatIsNoUrlIsAMistake(String url) {
    String shown = url.replace("x=1", "x=..."); // the value may be a password
    assertThat(mistakes("sluice.schemas.url=" + url))
        .containsExactly("sluice.schemas.url=" + shown + ": such as http://localhost:8081");
  }

  @Test
  void aPasswordInTheUrlIsAMistakeThatDoesNotShowIt() {
    assertThat(mistakes("sluice.schemas.url=http://ann:s3cret@host"))
        .containsExactly(
            "sluice.schemas.url=http://...@host: user and password go into sluice.schemas.user and"
                + " .password");
  }

  @Test
  void aFolderOrARegistryIsEnough() throws IOException {
    Files.writeString(folder.resolve("7.avsc"), CLICK);
    assertThat(
            mistakes(
                "sluice.event.user=user",
                "sluice.schemas.folder=" + folder,
                "sluice.schemas.url=http://localhost"))
        .containsExactly(
            "sluice.schemas.folder="
                + folder
                + ": sluice.schemas.url is also set; set only one of both");
  }

  @Test
  void everyFileInTheFolderIsReadAtStart() throws IOException {
    Files.writeString(folder.resolve("7.avsc"), CLICK);
    Files.writeString(folder.resolve("README.md"), "not a schema");
    String here = "sluice.schemas.folder=" + folder;
    assertThat(ConfigReport.summary(config("sluice.event.user=user", here)))
        .contains("1 in " + folder);
    assertThat(mistakes(here))
        .containsExactly(here + ": 7.avsc: Click has no field userId, which is the user");

    Files.writeString(folder.resolve("8.avsc"), "{");
    Files.writeString(folder.resolve("click.avsc"), CLICK);
    assertThat(mistakes("sluice.event.user=user", here))
        .hasSize(2)
        .anyMatch(line -> line.startsWith(here + ": 8.avsc: not an Avro schema: "))
        .contains(here + ": click.avsc is not named by an id, such as 17.avsc");
  }

  @Test
  void schemasAreNotHeldAgainstPathsThatAreMistaken() throws IOException {
    Files.writeString(folder.resolve("7.avsc"), CLICK);
    assertThat(mistakes("sluice.event.user=user.", "sluice.schemas.folder=" + folder))
        .containsExactly(
            "sluice.event.user=user.: at character 6: the selector ends where a name is expected");
  }

  @Test
  void filesOfAllFormatsAreReadWithTheirImports() throws IOException {
    Files.createDirectory(folder.resolve("common"));
    Files.writeString(folder.resolve("7.avsc"), CLICK);
    Files.writeString(folder.resolve("3000000000.json"), "{}");
    Files.writeString(
        folder.resolve("8.proto"),
        """
        syntax = "proto3";
        import "common/user.proto"; // in this folder
        import "google/protobuf/timestamp.proto";
        import "../secret.proto";
        message Click { common.User who = 1; string action = 2; }
        """);
    Files.writeString(
        folder.resolve("common/user.proto"),
        "syntax = \"proto3\"; package common; message User { string user = 1; }");
    SluiceConfig config =
        config("sluice.event.user=user // who.user", "sluice.schemas.folder=" + folder);

    assertThat(config.schemas().files().keySet()).containsExactlyInAnyOrder(7L, 8L, 3_000_000_000L);
    assertThat(config.schemas().files().get(8L).imports())
        .singleElement()
        .satisfies(each -> assertThat(each.name()).isEqualTo("common/user.proto"));
  }

  @Test
  void aMistakeInAFileOfAnyFormatNamesTheFile() throws IOException {
    String proto = "syntax = \"proto3\"; message Click { string action = 2; }";
    Files.writeString(folder.resolve("7.proto"), proto);
    Files.writeString(folder.resolve("8.proto"), "message {");
    Files.writeString(folder.resolve("9.json"), "{");
    Files.writeString(folder.resolve("9.proto"), proto);
    Files.writeString(folder.resolve("a.proto"), proto);
    Files.writeString(folder.resolve("-1.json"), "{}");
    Files.writeString(folder.resolve("99999999999999999999.json"), "{}");
    Files.write(folder.resolve("10.json"), new byte[] {(byte) 0xff});
    Files.createDirectory(folder.resolve("11.proto"));
    String here = "sluice.schemas.folder=" + folder + ": ";

    assertThat(mistakes("sluice.schemas.folder=" + folder))
        .hasSize(9)
        .contains(
            here + "7.proto: Click has no field userId, which is the user",
            here + "9.proto has the same id as 9.json",
            here + "a.proto is not named by an id, such as 17.proto",
            here + "-1.json is not named by an id, such as 17.json",
            here + "99999999999999999999.json is not named by an id, such as 17.json",
            here + "10.json cannot be read",
            here + "11.proto cannot be read")
        .anyMatch(line -> line.startsWith(here + "8.proto: not a Protobuf schema: "))
        .anyMatch(line -> line.startsWith(here + "9.json: not a JSON schema: "));
  }

  @Test
  void anIdHasFourOrEightBytes() throws IOException {
    Files.writeString(folder.resolve("7.json"), "{}");
    String here = "sluice.schemas.folder=" + folder;
    assertThat(config(here).schemas().idBytes()).isEqualTo(4);
    assertThat(config(here, "sluice.schemas.id.bytes=8").schemas().idBytes()).isEqualTo(8);
    assertThat(mistakes(here, "sluice.schemas.id.bytes=6"))
        .containsExactly("sluice.schemas.id.bytes=6: 4 or 8");
    assertThat(mistakes("sluice.schemas.id.bytes=8"))
        .containsExactly(
            "sluice.schemas.id.bytes=8: only applies with sluice.schemas.url or"
                + " sluice.schemas.folder");
  }

  @Test
  void aFolderWithoutSchemasIsAMistake() {
    assertThat(mistakes("sluice.schemas.folder=" + folder))
        .containsExactly(
            "sluice.schemas.folder="
                + folder
                + ": a folder with files named by their ids, such as 17.avsc, 17.proto or 17.json");
    assertThat(mistakes("sluice.schemas.folder=" + folder.resolve("none")))
        .containsExactly(
            "sluice.schemas.folder=" + folder.resolve("none") + ": a folder that can be read");
  }
}
