-- Calendar window: io.sluice.limiter.CalendarWindow. The key's value: the bucket's clock, the latest reserved
-- slot, the end and the used permits of all periods before the last one, the end and the used permits of the
-- last period. The call brings the ends of periods (io.sluice.limiter.redis.CallRules); the script's reply
-- names an instant for which it lacks the end.

local CALENDAR_HEAD = 48
local NO_COUNTS = { 0, 0, 0, 0 }

local calendar = { reserves = true, prior = priorInRing }

function calendar.load(key, rule)
  local value = call('GET', key)
  local state = {
    key = key, ring = '', fresh = not value, anew = false, clock = 0, ttl = 0, blocked = 0, reserved = 0,
    stored = NO_COUNTS, nearEnd = 0, near = 0, farEnd = 0, far = 0,
  }
  if not value then return state end
  local nearEnd, near, farEnd, far
  state.clock, state.reserved, nearEnd, near, farEnd, far = unpack('<dddddd', value)
  requireExact(state.clock, state.reserved, nearEnd, near, farEnd, far)
  state.stored = { nearEnd, near, farEnd, far }
  state.ring = sub(value, CALENDAR_HEAD + 1)
  takeBlock(state, rule)
  return state
end

-- Sets the counts of used permits as of now. The stored counts stay unchanged until an arrival is charged.
function calendar.look(state)
  local counts = state.anew and NO_COUNTS or state.stored
  state.nearEnd, state.near, state.farEnd, state.far = counts[1], counts[2], counts[3], counts[4]
end

function calendar.conformsAt(state, rule)
  local most = rule.permits - cost
  local at = rule.patience > 0 and max(now, state.reserved) or now
  if at < state.nearEnd and state.near + state.far > most then at = state.nearEnd end
  if at < state.farEnd and state.far > most then at = state.farEnd end
  return at
end

-- Returns the end of the period that contains an instant; nil if the call does not bring this end. Each
-- bucket brings two ends: of the period in which the arrival comes, by the rule in force then, and of the
-- next period.
function calendar.endOf(bucket, rule, at)
  local whole = rule.whole or rule
  if not whole.phases or inForce(whole, given) == rule then
    if at < bucket.span then return bucket.span end
    if at < bucket.fraction then return bucket.fraction end
  end
  for _, told in ipairs(rule.ends) do
    if at >= told.from then
      for _, last in ipairs(told) do
        if at < last then return last end
      end
    end
  end
  return nil
end

local MOST_COUNTED = 2 ^ 51

local function addNear(state, last, count)
  state.nearEnd, state.near = max(state.nearEnd, last), min(MOST_COUNTED, state.near + count)
end

function calendar.neededUntil(state, rule)
  return max(state.reserved, state.stored[3], newestInRing(state) + rule.period)
end

function calendar.charge(state, rule, bucket, at, refused)
  forget(state)
  if state.nearEnd <= now then state.nearEnd, state.near = 0, 0 end
  if state.farEnd <= now then state.farEnd, state.far = 0, 0 end
  local last = bucket.last
  if last > state.farEnd then
    addNear(state, state.farEnd, state.far)
    state.farEnd, state.far = last, 0
  end
  if last == state.farEnd then
    state.far = min(MOST_COUNTED, state.far + cost)
  else
    addNear(state, last, cost)
  end
  state.stored = { state.nearEnd, state.near, state.farEnd, state.far }
  state.clock, state.fresh = max(state.clock, now), false
  if not refused then
    if rule.patience > 0 and at > now then state.reserved = at end
    if state.reserved <= now then state.reserved = 0 end
    remember(state, at)
  end
  state.ttl = ttlMillis(calendar.neededUntil(state, rule))
end

function calendar.save(state)
  local counts = state.stored
  local head = pack('<dddddd', state.clock, state.reserved, counts[1], counts[2], counts[3], counts[4])
  call('SET', state.key, head .. ringOf(state), 'PX', int(state.ttl))
end

function calendar.facts(state, rule, numbers, n)
  -- The sum includes the last period without a condition, because its reader ignores it after the end of that
  -- period.
  numbers[n + 1] = (now < state.nearEnd and state.near or 0) + state.far
  numbers[n + 2] = state.farEnd
  return n + 2
end
