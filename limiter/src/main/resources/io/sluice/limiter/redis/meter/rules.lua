-- The call's rules, each a row of doubles (io.sluice.limiter.redis.RuleFields).

local RULE_BYTES = 72

local rules = {}
for at = 1, #ARGV[2], RULE_BYTES do
  local kind, period, permits, capacity, patience, counts, shadow, tolerance, toleranceFraction =
    unpack('<ddddddddd', ARGV[2], at)
  rules[#rules + 1] = {
    kind = kinds[kind],
    period = period,
    permits = permits,
    capacity = capacity,
    patience = patience,
    counts = counts == 1,
    shadow = shadow == 1,
    tolerance = tolerance,
    toleranceFraction = toleranceFraction,
    digest = sub(redis.sha1hex(sub(ARGV[2], at, at + RULE_BYTES - 1)), 1, 8),
  }
end
