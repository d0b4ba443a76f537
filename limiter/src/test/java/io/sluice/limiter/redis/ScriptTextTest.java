package io.sluice.limiter.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.sluice.limiter.redis.MeterScript.ScriptText;
import org.junit.jupiter.api.Test;

class ScriptTextTest {
  private static final ScriptText TEXT =
      new ScriptText().add("one.lua", "local a = 1\n\nlocal b = 2\n").add("two.lua", "return a\n");

  @Test
  void partsFollowOneAnother() {
    assertThat(new String(TEXT.toByteArray(), UTF_8))
        .isEqualTo("local a = 1\n\nlocal b = 2\nreturn a\n");
  }

  @Test
  void aLineIsNamedByItsPart() {
    assertThat(TEXT.located("ERR user_script:1: no script: f00, on @user_script:1."))
        .isEqualTo("ERR one.lua:1: no script: f00, on one.lua:1.");
    assertThat(TEXT.located("@user_script:3: user_script:4: no"))
        .isEqualTo("one.lua:3: two.lua:1: no");
  }

  @Test
  void whatIsNoLineOfItStays() {
    assertThat(TEXT.located("user_script:5: no")).isEqualTo("user_script:5: no");
    assertThat(TEXT.located("READONLY $1 \\")).isEqualTo("READONLY $1 \\");
  }

  @Test
  void aPartEndsWithItsLastLine() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ScriptText().add("three.lua", "return"))
        .withMessage("three.lua ends within a line");
  }
}
