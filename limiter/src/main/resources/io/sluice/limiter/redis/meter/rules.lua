-- The call's rules, each a row of doubles (io.sluice.limiter.redis.RuleField), with the numbers from before
-- any change: by those an answer is known again, so that it is repeated when limits have changed.

local RULE_BYTES = 72

local function readRule(rows, at)
  local kind, period, permits, capacity, patience, counts, shadow, tolerance, toleranceFraction =
    unpack('<ddddddddd', rows, at)
  return {
    kind = kinds[kind],
    period = period,
    permits = permits,
    capacity = capacity,
    patience = patience,
    counts = counts == 1,
    shadow = shadow == 1,
    tolerance = tolerance,
    toleranceFraction = toleranceFraction,
    digest = false,
    gone = -1,
    known = 0,
    phases = false,
    whole = false,
    block = 0,
    blocks = false,
    from = 0,
    anew = false,
  }
end

local rules = {}
for at = 1, #ARGV[2], RULE_BYTES do
  local rule = readRule(ARGV[2], at)
  rule.digest = sub(redis.sha1hex(sub(ARGV[2], at, at + RULE_BYTES - 1)), 1, 8)
  rules[#rules + 1] = rule
end

-- The phases of those that change (io.sluice.limiter.redis.CallRules): a row each of the rule as it is then.
local function readPhase(whole, at)
  local from, gone, anew, row = unpack('<ddd', ARGV[7], at)
  local phase = readRule(ARGV[7], row)
  phase.from, phase.gone, phase.anew, phase.whole = from, gone, anew == 1, whole
  return phase, row + RULE_BYTES
end

local read = 1
while ARGV[7] and read <= #ARGV[7] do
  local number, known, count
  number, known, count, read = unpack('<ddd', ARGV[7], read)
  local whole = rules[number]
  whole.known, whole.phases = known, {}
  for i = 1, count do whole.phases[i], read = readPhase(whole, read) end
end

-- Those that block (io.sluice.limiter.redis.CallRules), and so have another digest.
read = 1
while ARGV[8] and read <= #ARGV[8] do
  local rule, number
  number, read = unpack('<d', ARGV[8], read)
  rule = rules[number]
  rule.block, read = unpack('<d', ARGV[8], read)
  rule.blocks = true
  rule.digest = sub(redis.sha1hex(rule.digest .. int(rule.block)), 1, 8)
  for _, phase in ipairs(rule.phases or {}) do phase.block, read = unpack('<d', ARGV[8], read) end
end
