-- The call's rules, each read from a row of doubles (io.sluice.limiter.redis.CallRules), with the numbers
-- before any change. An earlier answer of the journal is recognised by a digest of these numbers, so it is
-- repeated although a rule has changed since.

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
    ends = false,
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

-- Reads a phase of a rule that changes (io.sluice.limiter.redis.CallRules), with a row of doubles for the
-- rule in force during the phase.
local function readPhase(whole, at)
  local from, gone, anew, row = unpack('<ddd', ARGV[7], at)
  local phase = readRule(ARGV[7], row)
  phase.from, phase.gone, phase.anew, phase.whole = from, gone, anew == 1, whole
  return phase, row + RULE_BYTES
end

do
  local read = 1
  while ARGV[7] and read <= #ARGV[7] do
    local number, known, count
    number, known, count, read = unpack('<ddd', ARGV[7], read)
    local whole = rules[number]
    whole.known, whole.phases = known, {}
    for i = 1, count do whole.phases[i], read = readPhase(whole, read) end
  end
end

-- Reads the block lengths and the ends of periods of a rule that blocks or has calendar periods
-- (io.sluice.limiter.redis.CallRules). The first block length and the calendar are part of the rule's digest.
local ENDS = 32

local function readEnds(whole, at)
  local by, told = 0, { from = 0 }
  by, told.from, at = unpack('<dd', ARGV[8], at)
  for i = 1, ENDS do told[i], at = unpack('<d', ARGV[8], at) end
  local ends = (whole.phases and inForce(whole, by) or whole).ends
  ends[#ends + 1] = told
  return at
end

local function readKind(at)
  local number, blocks, block, zone = unpack('<dddd', ARGV[8], at)
  local rule, count = rules[number], 0
  local more = rule.kind.endOf and int(block) .. ' ' .. int(zone) or int(block)
  rule.digest = sub(redis.sha1hex(rule.digest .. more), 1, 8)
  rule.blocks, rule.block, rule.ends = blocks == 1, block, {}
  at = at + 32
  for _, phase in ipairs(rule.phases or {}) do
    phase.ends = {}
    phase.block, at = unpack('<d', ARGV[8], at)
  end
  count, at = unpack('<d', ARGV[8], at)
  for _ = 1, count do at = readEnds(rule, at) end
  return at
end

do
  local read = 1
  while ARGV[8] and read <= #ARGV[8] do read = readKind(read) end
end
