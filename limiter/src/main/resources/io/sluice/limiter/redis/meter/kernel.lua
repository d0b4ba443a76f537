-- The kernel: finds out what each limit says of an arrival, decides, charges, and answers.

local states = {} -- by index of the key, so that a key is read once
local unsaved = {}
local answers = {}
local claims = {}

local function charge(claim, at, refused)
  local state, rule = claim.state, claim.rule
  now = claim.now
  rule.kind.charge(state, rule, claim, at, refused)
  unsaved[state] = rule.kind
end

local function countAttempt(claim)
  local rule = claim.rule
  if not rule.counts or claim.prior == SAME_RECORD or claim.conformsAt == NEVER or cost == 0 then return end
  charge(claim, claim.now, true)
  claim.conformsAt = rule.kind.conformsAt(claim.state, rule, claim)
end

-- Charges the arrival to every limit, except where it was before; a limit that only watches never
-- delays the others.
local function admit(count, slot)
  if cost == 0 then return end
  for i = 1, count do
    local claim = claims[i]
    local at = max(claim.now, slot)
    if claim.rule.shadow and not claim.patient then
      countAttempt(claim)
    elseif claim.prior ~= SAME_RECORD then
      charge(claim, claim.rule.shadow and max(at, claim.conformsAt) or at, false)
    end
  end
end

-- Reads the arrival's claims and their states.
local function readClaims(count, offset)
  for i = 1, count do
    local claim = claims[i] or {}
    local rule, key
    rule, key, claim.span, claim.fraction, offset = unpack('<dddd', ARGV[3], offset)
    claim.rule = rules[rule]
    local state = states[key]
    if not state then
      state = claim.rule.kind.load(KEYS[key], claim.rule)
      states[key] = state
    end
    claim.state = state
    claims[i] = claim
  end
  return offset
end

local ADMITTED, REFUSED, DUPLICATE = 0, 1, 2

-- Finds out what each limit says, at the clock of its bucket if that is later than the arrival. Returns
-- what becomes of it and its slot, or 0.
local function judge(count, flags, slotElsewhere)
  local conforms = not has(flags, REFUSED_ELSEWHERE)
  local duplicate = claimed and has(flags, MAY_BE_DUPLICATE)
  local enforced, slot, slotBefore = has(flags, ENFORCED_ELSEWHERE), slotElsewhere, 0
  for i = 1, count do
    local claim = claims[i]
    local state, rule = claim.state, claim.rule
    local kind = rule.kind
    now = max(given, state.clock)
    claim.now = now
    kind.look(state, rule)
    claim.at, claim.prior = false, false
    if not anonymous then claim.at, claim.prior = kind.prior(state, rule) end
    claim.conformsAt = cost > rule.capacity and NEVER or kind.conformsAt(state, rule, claim)
    claim.patient = claim.conformsAt >= 0 and claim.conformsAt - now <= rule.patience
    if not rule.shadow then
      enforced = true
      local at = claim.conformsAt
      if claim.prior == SAME_RECORD then
        at = claim.at
      elseif not claim.patient then
        conforms = false
      end
      if at > now then slot = max(slot, at) end
      if claim.prior ~= SAME_EVENT then
        duplicate = false
      elseif claim.at > now then
        slotBefore = max(slotBefore, claim.at)
      end
    end
  end
  if duplicate and enforced then return DUPLICATE, slotBefore end
  if conforms then return ADMITTED, slot end
  return REFUSED, 0
end

local numbers = {}
local formats = {} -- of so many numbers

local function chargedAt(claim, kind)
  if claim.prior == SAME_RECORD then return claim.at end
  return kind == DUPLICATE and claim.prior == SAME_EVENT and claim.at or NOT_CHARGED
end

local function answer(kind, slot, count)
  numbers[1], numbers[2] = kind, slot
  local n = 2
  for i = 1, count do
    local claim = claims[i]
    now = claim.now
    numbers[n + 1], numbers[n + 2], numbers[n + 3] = now, claim.conformsAt, chargedAt(claim, kind)
    n = claim.rule.kind.facts(claim.state, claim.rule, numbers, n + 3)
  end
  local numbersFormat = formats[n]
  if not numbersFormat then
    numbersFormat = '<' .. string.rep('d', n)
    formats[n] = numbersFormat
  end
  answers[#answers + 1] = pack(numbersFormat, spread(numbers, 1, n))
end

local function meter(count, flags, slotElsewhere)
  local kind, slot = judge(count, flags, slotElsewhere)
  if kind == ADMITTED then
    admit(count, slot)
  elseif kind == REFUSED then
    for i = 1, count do countAttempt(claims[i]) end
  end
  answer(kind, slot, count)
end

-- What the arrival is judged by: the rules of its claims, in few characters.
local function rulesOf(count)
  if count == 1 then return claims[1].rule.digest end
  local digests = {}
  for i = 1, count do digests[i] = claims[i].rule.digest end
  return concat(digests)
end

-- Not if limits elsewhere say something else than then: the answer was given with regard to them.
local function answerAgain(old, elsewhere, slotElsewhere)
  local before, answer = old.list[old.at + 3], old.list[old.at + 4]
  if before ~= elsewhere then return false end
  local kind, slot = unpack('<dd', answer)
  if kind == ADMITTED and slot < slotElsewhere then return false end
  answers[#answers + 1] = answer
  return true
end

local offset, size = 1, #ARGV[3]
while offset <= size do
  local slotElsewhere, flags, record, sequence, position, count
  given, slotElsewhere, cost, flags, event, record, sequence, position, count, offset =
    unpack('<ddddc8dddd', ARGV[3], offset)
  identity = event .. pack('<i4', record)
  anonymous, claimed = has(flags, ANONYMOUS), has(flags, CLAIMED)
  local elsewhere = flags % 2 + 2 * floor(flags / MAY_BE_DUPLICATE)
  offset = readClaims(count, offset)
  if sequence == 0 then
    meter(count, flags, slotElsewhere)
  else
    local journal, judgedBy = journalOf(sequence), rulesOf(count)
    local old = recall(journal, position, judgedBy)
    if not old or not answerAgain(old, elsewhere, slotElsewhere) then
      meter(count, flags, slotElsewhere)
      note(journal, position, judgedBy, elsewhere, answers[#answers])
    end
  end
end

for state, kind in pairs(unsaved) do kind.save(state) end
for _, journal in pairs(journals) do saveJournal(journal) end

return { concat(answers) }
