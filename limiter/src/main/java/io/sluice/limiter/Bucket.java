package io.sluice.limiter;

/**
 * A key under a rule: what is counted by itself, and an arrival is charged to.
 *
 * @param rule with all of its changes that are known, also where it is another one for this key
 *     alone: the bucket is the same, by whatever numbers it is judged
 * @param key what is counted together under the rule
 * @param tag a part of the key, or all of it: in a Redis Cluster, keys of one tag are on one node
 * @param value what the arrival brings, if distinct values are counted under the rule
 */
public record Bucket(Rule rule, String key, String tag, ValueHash value) {
  public Bucket(Rule rule, String key, String tag) {
    this(rule, key, tag, ValueHash.NONE);
  }

  public Bucket(Rule rule, String key) {
    this(rule, key, key);
  }
}
