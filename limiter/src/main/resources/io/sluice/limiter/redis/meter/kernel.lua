-- The kernel: judges an arrival under each limit, decides, charges the limits, and answers.

local unsaved = {}
local buckets = {}

local function charge(bucket, at, refused)
  local state, rule = bucket.state, bucket.rule
  now, touched = bucket.now, bucket.key
  if state.anew or state.blocked <= now then state.blocked = 0 end
  rule.kind.charge(state, rule, bucket, at, refused)
  if state.blocked > 0 then state.ttl = max(state.ttl, ttlMillis(state.blocked)) end
  unsaved[state] = rule.kind
end

local function countAttempt(bucket)
  local rule = bucket.rule
  if not rule.counts or bucket.prior == SAME_RECORD or bucket.conformsAt == NEVER or cost == 0 then return end
  charge(bucket, bucket.now, true)
  bucket.conformsAt = rule.kind.conformsAt(bucket.state, rule, bucket)
end

-- Blocks a bucket whose own limit refuses the arrival as over the quota, unless the arrival costs 0.
local function block(bucket)
  local state, rule = bucket.state, bucket.rule
  if bucket.blocked or bucket.patient or bucket.prior == SAME_RECORD or bucket.conformsAt == NEVER then return end
  if cost == 0 then return end
  now = bucket.now
  state.blocked = now + rule.block
  if rule.kind.block then rule.kind.block(state) end
  state.ttl = max(ttlMillis(rule.kind.neededUntil(state, rule)), ttlMillis(state.blocked))
  unsaved[state] = rule.kind
end

local function refuse(bucket)
  countAttempt(bucket)
  if bucket.rule.block > 0 then block(bucket) end
end

-- Reads Redis keys that charges need in addition to the buckets' own, so that an unusable key is found before
-- any of several limits is charged.
local function makeReady(count)
  for i = 1, count do
    local bucket = buckets[i]
    local ready = bucket.rule.kind.ready
    if ready then
      now, touched = bucket.now, bucket.key
      ready(bucket.state, bucket.rule)
    end
  end
end

-- Returns the instant at which a bucket charges the admitted arrival: at the latest of its slots, or a release
-- at the bucket's own slot if all of its slots are in its span (io.sluice.limiter.JudgedBucket). A shadow limit
-- never charges it before it conforms.
local function chargeAt(bucket, slot)
  local leavesNow = latest > 0 and slot <= latest
  local at = leavesNow and bucket.now or max(bucket.now, slot)
  return (leavesNow or bucket.rule.shadow) and max(at, bucket.conformsAt) or at
end

-- Charges the arrival to every limit, except for limits that have charged this record before. A shadow limit
-- never delays the charges to the other limits.
local function admit(count, slot)
  if cost == 0 then return end
  if count > 1 then makeReady(count) end
  for i = 1, count do
    local bucket = buckets[i]
    if bucket.rule.shadow and not bucket.patient then
      refuse(bucket)
    elseif bucket.prior ~= SAME_RECORD then
      local at = chargeAt(bucket, slot)
      local holds = bucket.rule.kind.holds
      if not holds or not holds(bucket, at) then charge(bucket, at, false) end
    end
  end
end

local VALUE_BYTES = 16

-- Reads the values of a bucket whose arrival has several values under this limit or another one.
local function readValues(bucket)
  local values, first, count = {}, bucket.span, bucket.fraction
  for i = 1, count do
    values[i] = sub(ARGV[9], first, first + VALUE_BYTES - 1)
    first = first + VALUE_BYTES
  end
  bucket.value, bucket.values = values[1], count > 1 and values
end

-- Reads the arrival's buckets and their states. Returns the offset after the buckets.
local function readBuckets(count, offset, several)
  for i = 1, count do
    local bucket = buckets[i] or {}
    local rule, key
    rule, key, bucket.span, bucket.fraction, offset = unpack('<dddd', ARGV[3], offset)
    bucket.rule = rules[rule]
    bucket.value, bucket.values = bucket.rule.kind.hasValues and sub(ARGV[3], offset - 16, offset - 1), false
    if several and bucket.value then readValues(bucket) end
    local state = states[key]
    bucket.key, touched = key, key
    if not state then
      state = bucket.rule.kind.load(KEYS[key], bucket.rule, key)
      states[key] = state
    end
    bucket.state = state
    buckets[i] = bucket
  end
  return offset
end

local CHANGED, BLOCKED = 4, 8

-- Returns the instant at which a bucket judges the arrival, as io.sluice.limiter.Arrival.judgedAtMicros does.
local function judgedAt(rule, state)
  if latest == 0 then return max(given, state.clock) end
  if not rule.kind.reserves then return max(latest, state.clock) end
  local open = state.blocked <= latest and state.blocked or 0
  return max(given, state.clock, open, rule.phases and inForce(rule, latest).from or 0)
end

-- Judges the arrival under each limit, by the numbers in force at the instant of the judgement. Returns the kind of outcome, and the arrival's slot or 0; nil if the call brings
-- too few of a rule's changes.
local function judge(count, flags, slotElsewhere)
  local conforms = not has(flags, REFUSED_ELSEWHERE)
  local duplicate = claimed and has(flags, MAY_BE_DUPLICATE)
  local enforced, slot, slotBefore = has(flags, ENFORCED_ELSEWHERE), slotElsewhere, 0
  for i = 1, count do
    local bucket = buckets[i]
    local state, rule = bucket.state, bucket.rule
    local kind = rule.kind
    touched = bucket.key
    now = judgedAt(rule, state)
    bucket.now = now
    state.anew = false
    if rule.phases then
      local current = inForce(rule, now)
      if lacksPhases(rule, state, current) then return nil end
      state.anew = beginsAnew(rule, state.clock)
      rule = current
      bucket.rule = rule
    end
    kind.look(state, rule, bucket)
    bucket.at, bucket.prior = false, false
    if not anonymous then bucket.at, bucket.prior = kind.prior(state, rule) end
    bucket.conformsAt = cost > rule.capacity and NEVER or kind.conformsAt(state, rule, bucket)
    bucket.blocked = state.blocked > now and not state.anew
    bucket.patient = not bucket.blocked and bucket.conformsAt >= 0
      and bucket.conformsAt - now <= max(rule.patience, latest - now)
    if not rule.shadow then
      enforced = true
      local at = bucket.conformsAt
      if bucket.prior == SAME_RECORD then
        at = bucket.at
      elseif not bucket.patient then
        conforms = false
      end
      if at > now then slot = max(slot, at) end
      if bucket.prior ~= SAME_EVENT or bucket.blocked then
        duplicate = false
      elseif bucket.at > now then
        slotBefore = max(slotBefore, bucket.at)
      end
    end
  end
  if duplicate and enforced then return DUPLICATE, slotBefore end
  if conforms then return ADMITTED, slot end
  return REFUSED, 0
end

-- Answer that names an instant for which the call does not bring the end of its period; false if none is
-- missing.
local lacking = false

local function findEnd(bucket, at)
  bucket.last = bucket.rule.kind.endOf(bucket, bucket.rule, at)
  if not bucket.last then lacking = pack('<ddd', LACKS, bucket.now, at) end
end

-- Finds the periods in which the arrival's charges will count, before anything is charged.
local function findEnds(count, kind, slot)
  for i = 1, count do
    local bucket = buckets[i]
    local rule = bucket.rule
    if rule.kind.endOf and kind ~= DUPLICATE and cost > 0 and bucket.prior ~= SAME_RECORD then
      local admits = kind == ADMITTED and (bucket.patient or not rule.shadow)
      local refuses = rule.counts and (kind == ADMITTED or latest == 0)
      if admits or refuses then findEnd(bucket, admits and chargeAt(bucket, slot) or bucket.now) end
    end
  end
end

local numbers = {}
local formats = {} -- formats for pack, by the number of doubles

local function chargedAt(bucket, kind)
  if bucket.prior == SAME_RECORD then return bucket.at end
  return kind == DUPLICATE and bucket.prior == SAME_EVENT and bucket.at or NOT_CHARGED
end

local function hasChanged(count)
  for i = 1, count do
    if buckets[i].rule.whole then return true end
  end
  return false
end

-- Returns the end of the bucket's block in epoch microseconds; 0 if the bucket is not blocked.
local function blockOf(bucket)
  local state = bucket.state
  return state.blocked > bucket.now and not state.anew and state.blocked or 0
end

local function isAnyBlocked(count)
  for i = 1, count do
    if blockOf(buckets[i]) > 0 then return true end
  end
  return false
end

local function answer(kind, slot, count)
  local changed, blocked = ARGV[7] and hasChanged(count), ARGV[8] and isAnyBlocked(count)
  numbers[1], numbers[2] = kind + (changed and CHANGED or 0) + (blocked and BLOCKED or 0), slot
  local n = 2
  for i = 1, count do
    local bucket = buckets[i]
    now = bucket.now
    local conformsAt = bucket.blocked and SHUT or bucket.conformsAt
    numbers[n + 1], numbers[n + 2], numbers[n + 3] = now, conformsAt, chargedAt(bucket, kind)
    if changed then
      local rule = bucket.rule
      numbers[n + 4], numbers[n + 5] = rule.period, rule.permits
      numbers[n + 6], numbers[n + 7] = rule.capacity, rule.patience
      n = n + 4
    end
    if blocked then
      numbers[n + 4] = blockOf(bucket)
      n = n + 1
    end
    n = bucket.rule.kind.facts(bucket.state, bucket.rule, numbers, n + 3)
  end
  local numbersFormat = formats[n]
  if not numbersFormat then
    numbersFormat = '<' .. string.rep('d', n)
    formats[n] = numbersFormat
  end
  answers[#answers + 1] = pack(numbersFormat, spread(numbers, 1, n))
  return true
end

-- Answers an arrival that was charged before, although its buckets may not remember it.
local function answerCharged(kind, count)
  for i = 1, count do
    local bucket = buckets[i]
    if bucket.prior ~= SAME_RECORD then bucket.prior, bucket.at = SAME_RECORD, bucket.now end
  end
  return answer(kind, 0, count)
end

-- Meters the arrival. Returns whether the call brings all facts that its judgement needs.
local function meter(count, flags, slotElsewhere)
  local kind, slot = judge(count, flags, slotElsewhere)
  if kind and gate then
    local answered, before = gate(kind, buckets, count, flags)
    if answered then return true end
    if before then return answerCharged(before, count) end
  end
  if kind and ARGV[8] and not asks then findEnds(count, kind, slot) end
  if not kind or lacking then return false end
  if asks then
    return answer(kind, slot, count)
  elseif kind == ADMITTED then
    admit(count, slot)
  elseif kind == REFUSED and latest == 0 then -- the refusal of a release has no effects
    for i = 1, count do refuse(buckets[i]) end
  end
  return answer(kind, slot, count)
end

-- Returns a short digest of the rules by which the arrival is judged.
local function rulesOf(count)
  if count == 1 then return buckets[1].rule.digest end
  local digests = {}
  for i = 1, count do digests[i] = buckets[i].rule.digest end
  return concat(digests)
end

-- Repeats the earlier answer to an arrival. Does not if the arrival's limits in another backend have another
-- result now, because the answer depends on that result.
local function answerAgain(old, elsewhere, slotElsewhere)
  local before, answer = old.list[old.at + 3], old.list[old.at + 4]
  if before ~= elsewhere then return false end
  local kind, slot = unpack('<dd', answer)
  if kind % CHANGED == ADMITTED and slot < slotElsewhere then return false end
  answers[#answers + 1] = answer
  return true
end

-- Meters the arrival at an offset. Returns the offset of the next arrival, and whether the call brings all
-- facts that the judgement of this arrival needs.
local function meterAt(first)
  local enough = true
  local offset, slotElsewhere, flags, record, sequence, position, keptFrom, count
  given, latest, slotElsewhere, cost, flags, event, record, sequence, position, keptFrom, count, offset =
    unpack('<dddddc8ddddd', ARGV[3], first)
  identity = event .. pack('<i4', record)
  anonymous, claimed = has(flags, ANONYMOUS), has(flags, CLAIMED)
  asks = has(flags, ONLY_ASKS)
  local elsewhere = flags % 2 + 2 * floor(flags % SEVERAL_VALUES / MAY_BE_DUPLICATE)
  offset = readBuckets(count, offset, has(flags, SEVERAL_VALUES))
  if sequence == 0 then
    enough = meter(count, flags, slotElsewhere)
  else
    local journal, judgedBy = journalOf(sequence), rulesOf(count)
    local old = recall(journal, position, judgedBy)
    if not old and has(flags, TWO_JOURNALS) then old = recall(journalOf(sequence + 1), position, judgedBy) end
    if not old or not answerAgain(old, elsewhere, slotElsewhere) then
      enough = meter(count, flags, slotElsewhere)
      if enough then note(journal, position, keptFrom, judgedBy, elsewhere, answers[#answers]) end
    end
  end
  return offset, enough
end

local function save()
  for state, kind in pairs(unsaved) do kind.save(state) end
end

return meterAt, save, function() return lacking end
