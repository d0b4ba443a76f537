-- GCRA: the same arithmetic as io.sluice.limiter.Gcra. The key's value: the bucket's clock, the theoretical
-- arrival time (TAT) in whole microseconds, its fraction in 1/permits of a microsecond, and the latest
-- reserved slot; then the rate in which the TAT is counted, in the form of a remembered event that cannot
-- exist (releases that know no rates pass over it): 8 zero bytes, the permits in 4 bytes, the period as a
-- double.

local RATE_END = HEAD + ENTRY
local MOST_TAT = 8500000000000000 -- upper bound of a TAT, in epoch microseconds (year 2239)
local EXACT = 2251799813685248 -- 2^51: for a product below it, the quotient's floor is exact

local gcra = { reserves = true, prior = priorInRing }

function gcra.load(key, rule)
  local value = call('GET', key)
  local ring, clock, tat, fraction, reserved = '', 0, 0, 0, 0
  local permits, period, mark = false, false, false
  if not value then
    permits, period = rule.permits, rule.period
  elseif #value >= RATE_END then
    clock, tat, fraction, reserved, mark, permits, period = unpack('<ddddc8I4d', value)
    if mark ~= NO_EVENT then permits = false end
    ring = sub(value, (permits and RATE_END or HEAD) + 1)
  else
    clock, tat, fraction, reserved = unpack('<dddd', value)
  end
  requireExact(clock, tat, fraction, reserved, permits or 1, period or 1)
  local state = {
    key = key, ring = ring, fresh = not value, anew = false, clock = clock, ttl = 0, blocked = 0,
    counted = tat, countedFraction = fraction, permits = permits, period = period,
    tat = tat, fraction = fraction, reserved = reserved,
  }
  takeBlock(state, rule)
  return state
end

-- Sets the rate of a stored TAT to the rate in force at the bucket's clock, because the release that wrote
-- the value stored no rate.
local function takeRateInForce(state, rule)
  local whole = rule.whole or rule
  local was = whole.phases and inForce(whole, state.clock) or whole
  state.permits, state.period = was.permits, was.period
  -- The fraction was counted in the units of an earlier quota: round it up.
  if state.countedFraction >= was.permits then
    state.counted, state.countedFraction = state.counted + 1, 0
  end
end

-- Returns the TAT after the rule's changes up to an instant, and its fraction, as
-- io.sluice.limiter.GcraState does.
local function carriedTat(state, rule, till)
  local whole = rule.whole or rule
  local at, permits, period = state.clock, state.permits, state.period
  local backlog, fraction = wide(max(0, state.counted - at)), state.countedFraction
  -- Converts the backlog to the rate of a change. Returns the TAT, and converts nothing, if the TAT is not
  -- after the change, because neither this change nor a later one affects it; otherwise nil.
  local function change(from, to)
    if to.permits == permits and to.period == period then return nil end
    local tat = at + narrow(backlog) + (fraction > 0 and 1 or 0)
    if tat <= from then return tat end
    subtract(backlog, from - at)
    multiply(backlog, permits, fraction)
    multiply(backlog, to.period, 0)
    divideUp(backlog, period)
    divideUp(backlog, to.permits)
    at, permits, period, fraction = from, to.permits, to.period, 0
    return nil
  end
  local phases = whole.phases or {}
  local past = change(state.clock, whole.phases and inForce(whole, state.clock) or whole)
  for i = 1, #phases do
    local phase = phases[i]
    if not past and phase.from > state.clock and phase.from <= till then
      past = change(phase.from, phase)
    end
  end
  if past then return past, 0 end
  return min(at + narrow(backlog), MOST_TAT), fraction
end

-- Returns the time that n permits take at the rule's rate: whole microseconds, and the fraction in 1/permits
-- of a microsecond.
local function spanOf(rule, n)
  local product = n * rule.period
  if product < EXACT then return floor(product / rule.permits), product % rule.permits end
  local digits = wide(n)
  multiply(digits, rule.period, 0)
  local fraction = divide(digits, rule.permits)
  return narrow(digits), fraction
end

function gcra.look(state, rule, bucket)
  if not state.permits then takeRateInForce(state, rule) end
  local changes = rule.whole or rule.phases
  if not changes and state.permits == rule.permits and state.period == rule.period then
    state.tat, state.fraction = state.counted, state.countedFraction
  elseif state.anew then
    state.tat, state.fraction = 0, 0
  else
    state.tat, state.fraction = carriedTat(state, rule, now)
  end
  if rule.whole then bucket.span, bucket.fraction = spanOf(rule, min(cost, rule.capacity)) end
end

function gcra.conformsAt(state, rule, bucket)
  local from = rule.patience > 0 and max(now, state.reserved) or now
  local tat, fraction = state.tat, state.fraction
  if tat < from then tat, fraction = from, 0 end
  fraction = fraction + bucket.fraction - rule.toleranceFraction
  local carry = fraction > rule.permits and 2 or fraction > 0 and 1 or 0
  return max(from, tat + bucket.span - rule.tolerance + carry)
end

-- Returns the instant until which the state is needed. A reserved slot can be later than the TAT, because a
-- change of the rate moves the TAT but not the slot.
function gcra.neededUntil(state, rule)
  local tat, fraction = state.counted, state.countedFraction
  if rule.whole or rule.phases then tat, fraction = carriedTat(state, rule, math.huge) end
  local unused = max(state.reserved, tat + (fraction > 0 and 1 or 0))
  return max(unused, leavesAt(rule, newestInRing(state)))
end

function gcra.charge(state, rule, bucket, at)
  local tat, fraction = state.tat, state.fraction
  if tat < at then tat, fraction = at, 0 end
  tat, fraction = tat + bucket.span, fraction + bucket.fraction
  if fraction >= rule.permits then tat, fraction = tat + 1, fraction - rule.permits end
  state.tat, state.fraction = tat, fraction
  state.counted, state.countedFraction, state.permits, state.period = tat, fraction, rule.permits, rule.period
  if rule.patience > 0 and at > now then state.reserved = at end
  if state.reserved <= now then state.reserved = 0 end
  state.clock, state.fresh = max(state.clock, now), false
  remember(state, at)
  state.ttl = ttlMillis(gcra.neededUntil(state, rule))
end

function gcra.save(state)
  local head = pack('<ddddc8I4d', state.clock, state.counted, state.countedFraction, state.reserved,
    NO_EVENT, state.permits, state.period)
  call('SET', state.key, head .. ringOf(state), 'PX', int(state.ttl))
end

function gcra.facts(state, rule, numbers, n)
  numbers[n + 1], numbers[n + 2] = state.tat, state.fraction
  return n + 2
end
