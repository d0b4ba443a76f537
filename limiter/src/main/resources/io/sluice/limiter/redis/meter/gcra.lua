-- GCRA: io.sluice.limiter.Gcra, the same sums. The key's value: clock, TAT's whole micros, its fraction in
-- 1/permits of a microsecond, the last instant reserved.

local gcra = { prior = priorInRing }

function gcra.load(key, rule)
  local ring, clock, tat, fraction, reserved = readString(key)
  if fraction >= rule.permits then -- the quota has changed since
    tat = tat + 1
    fraction = 0
  end
  return {
    key = key, ring = ring, clock = clock, ttl = 0,
    tat = tat, fraction = fraction, reserved = reserved,
  }
end

function gcra.look() end

function gcra.conformsAt(state, rule, bucket)
  local from = rule.patience > 0 and max(now, state.reserved) or now
  local tat, fraction = state.tat, state.fraction
  if tat < from then tat, fraction = from, 0 end
  fraction = fraction + bucket.fraction - rule.toleranceFraction
  local carry = fraction > rule.permits and 2 or fraction > 0 and 1 or 0
  return max(from, tat + bucket.span - rule.tolerance + carry)
end

function gcra.charge(state, rule, bucket, at)
  local tat, fraction = state.tat, state.fraction
  if tat < at then tat, fraction = at, 0 end
  tat, fraction = tat + bucket.span, fraction + bucket.fraction
  if fraction >= rule.permits then tat, fraction = tat + 1, fraction - rule.permits end
  state.tat, state.fraction = tat, fraction
  if rule.patience > 0 and at > now then state.reserved = at end
  if state.reserved <= now then state.reserved = 0 end
  state.clock = max(state.clock, now)
  remember(state, at)
  state.ttl = ttlMillis(max(tat + (fraction > 0 and 1 or 0), newestInRing(state) + rule.period))
end

function gcra.save(state)
  saveString(state, state.tat, state.fraction, state.reserved)
end

function gcra.facts(state, rule, numbers, n)
  numbers[n + 1], numbers[n + 2] = state.tat, state.fraction
  return n + 2
end
