-- Sliding window counter: io.sluice.limiter.WindowCounter. The key's value: the bucket's clock, the start of
-- the running period, the permits used in the last period, the permits used in the running period.

local counter = { prior = priorInRing }

function counter.load(key, rule)
  local ring, clock, start, last, running = readString(key)
  local state = {
    key = key, ring = ring or '', fresh = not ring, anew = false, clock = clock, ttl = 0, blocked = 0,
    stored = { start, last, running }, start = 0, last = 0, running = 0,
  }
  takeBlock(state, rule)
  return state
end

-- Sets the counts of used permits as of now. The stored counts stay unchanged until an arrival is charged.
function counter.look(state, rule)
  local start, last, running = state.stored[1], state.stored[2], state.stored[3]
  if state.anew then start, last, running = 0, 0, 0 end
  local begun = now - now % rule.period
  if begun > start then
    last = begun - start <= rule.period and running or 0
    start, running = begun, 0
  end
  state.start, state.last, state.running = start, last, running
end

-- Whether a * d <= c * b, for b and d not 0. Compares a/b with c/d, digit by digit of their continued
-- fractions, because the products do not fit in a double.
local function fractionAtMost(a, b, c, d)
  while true do
    local left, right = floor(a / b), floor(c / d)
    if left ~= right then return left < right end
    local leftRest, rightRest = a - left * b, c - right * d
    if leftRest == 0 then return true end
    if rightRest == 0 then return false end
    a, b, c, d = d, rightRest, b, leftRest
  end
end

function counter.conformsAt(state, rule)
  local room = rule.permits - state.running - cost
  if room < 0 then return LATER end
  if state.last == 0 then return now end
  if room == 0 then return LATER end
  local inside = rule.period - (now - state.start)
  return fractionAtMost(state.last, room, rule.period, inside) and now or LATER
end

function counter.neededUntil(state, rule)
  return max(state.stored[1] + 2 * rule.period, newestInRing(state) + rule.period)
end

function counter.charge(state, rule, bucket, at, refused)
  forget(state)
  state.running = min(4503599627370496, state.running + cost)
  state.clock, state.fresh = max(state.clock, now), false
  state.stored = { state.start, state.last, state.running }
  if not refused then remember(state, at) end
  state.ttl = ttlMillis(counter.neededUntil(state, rule))
end

function counter.save(state)
  saveString(state, state.stored[1], state.stored[2], state.stored[3])
end

function counter.facts(state, rule, numbers, n)
  numbers[n + 1], numbers[n + 2], numbers[n + 3] = state.start, state.last, state.running
  return n + 3
end
