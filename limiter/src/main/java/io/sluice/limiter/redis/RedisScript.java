package io.sluice.limiter.redis;

import io.sluice.limiter.redis.ScriptPipeline.Link;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * Text of a Lua script, and the SHA-1 digest by which Redis knows the script after its first run.
 */
final class RedisScript {
  private final byte[] text;
  private final byte[] sha1;

  RedisScript(byte[] text) {
    this.text = text;
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
      sha1 = HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }

  /** Returns the command that runs the script by its digest, at a server that knows the script. */
  CommandArguments byName(ScriptCall call) {
    return byName(call, Link.NONE);
  }

  /** Returns the command that runs the script by its digest, as part of a pipeline. */
  CommandArguments byName(ScriptCall call, Link link) {
    return call.command(Command.EVALSHA, sha1, link);
  }

  /**
   * Returns the command that runs the script by its text, after which the server knows the script.
   */
  CommandArguments byText(ScriptCall call) {
    return call.command(Command.EVAL, text, Link.NONE);
  }
}
