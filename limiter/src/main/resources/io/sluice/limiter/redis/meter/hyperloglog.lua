-- Estimate of distinct values by HyperLogLog: io.sluice.limiter.DistinctSketch. The key's value: the bucket's
-- clock, the number of the last sixth of a period in which a value was added, the number of the sixth for
-- which the union was built, and the ring of remembered arrivals. In KEYS, the key is followed by the keys of
-- the union and of the seven sixths, which are numbered modulo 7.

local AGES = 7

local hyperloglog = { hasValues = true, prior = priorInRing }

function hyperloglog.load(key, rule, index)
  local ring, clock, sixth, unionAt = readString(key)
  local state = {
    key = key, ring = ring or '', fresh = not ring, anew = false, clock = clock, ttl = 0, blocked = 0,
    index = index, sixth = sixth, unionAt = unionAt, running = 0, count = 0, counted = -1,
  }
  takeBlock(state, rule)
  return state
end

local function sixthOf(rule)
  return ceil(rule.period / 6)
end

local function keyOf(state, sixth)
  return KEYS[state.index + 2 + sixth % AGES]
end

function hyperloglog.liveKeys(state)
  local live = {}
  for sixth = max(0, state.running - AGES + 1), state.sixth do live[#live + 1] = keyOf(state, sixth) end
  return live
end

-- Returns the estimate of the union without writing. PFCOUNT of one key stores its result in the key; PFCOUNT
-- of several keys does not, so a key is repeated.
function hyperloglog.countUnwritten(state)
  local keys = state.unionAt == state.running and { KEYS[state.index + 1] } or hyperloglog.liveKeys(state)
  keys[#keys + 1] = keys[1]
  return call('PFCOUNT', spread(keys))
end

-- Builds the union again if a sixth has left the window. This changes no estimate, so it is done for a
-- refused arrival too: otherwise it would be done again for each further refused arrival.
local function unite(state)
  if state.unionAt == state.running then return end
  local union, live = KEYS[state.index + 1], hyperloglog.liveKeys(state)
  local ttl = call('PTTL', state.key)
  call('DEL', union)
  call('PFMERGE', union, spread(live))
  state.unionAt = state.running
  saveString(state, state.sixth, state.unionAt, 0, 'KEEPTTL')
  if ttl > 0 then call('PEXPIRE', union, int(ttl)) end
end

-- Estimates the number of values in the window that ends now: the running sixth of a period and the six
-- sixths before.
function hyperloglog.look(state, rule)
  local length = sixthOf(rule)
  state.running = (now - now % length) / length
  if state.sixth > state.running then -- the stored number is that of a shorter period
    state.sixth, state.anew = 0, true
  end
  if state.fresh or state.anew or state.running - state.sixth >= AGES then
    state.count, state.counted = 0, -1
  elseif state.counted ~= state.running then
    if asks then
      state.count = hyperloglog.countUnwritten(state)
    else
      unite(state)
      state.count, state.counted = call('PFCOUNT', KEYS[state.index + 1]), state.running
    end
  end
end

-- Returns the estimate of the union with an arrival's several values. The values are added to the union, which
-- is then restored: PFCOUNT counts only values in keys.
local function countWith(state, values)
  local union = KEYS[state.index + 1]
  local ttl, before = call('PTTL', union), call('GET', union)
  if state.unionAt ~= state.running then
    local live = hyperloglog.liveKeys(state)
    call('PFCOUNT', spread(live)) -- fails if a key holds no HyperLogLog, before anything is written
    call('DEL', union)
    call('PFMERGE', union, spread(live))
  end
  call('PFADD', union, spread(values))
  local count = call('PFCOUNT', union)
  if not before then
    call('DEL', union)
  elseif ttl > 0 then
    call('SET', union, before, 'PX', int(ttl))
  else
    call('SET', union, before)
  end
  return count
end

-- Whether an arrival conforms under the estimate. For one value, the estimate must be below the permits. The
-- estimate with several values is needed only if they would be too many if all of them were new.
local function hasRoom(state, rule, values)
  if state.count >= rule.permits then return false end
  if not values or cost == 0 or state.count + #values <= rule.permits then return true end
  return countWith(state, values) <= rule.permits
end

function hyperloglog.conformsAt(state, rule, bucket)
  local values = bucket.values
  if values and cost > 0 and #values > rule.permits then return NEVER end
  if hasRoom(state, rule, values) then return now end
  local length = sixthOf(rule)
  return now - now % length + length
end

function hyperloglog.neededUntil(state, rule)
  return max((state.sixth + AGES) * sixthOf(rule), newestInRing(state) + rule.period)
end

-- Deletes the keys of the sixths that have begun since the last charge, because these keys still hold sixths
-- that are seven or more earlier.
local function moveOn(state)
  local union, running = KEYS[state.index + 1], state.running
  local stale = running - state.sixth
  if state.fresh or state.anew or stale >= AGES then
    stale = AGES
    call('DEL', union)
  end
  for sixth = running - stale + 1, running do call('DEL', keyOf(state, sixth)) end
  state.sixth, state.unionAt = running, running
end

-- Fails if the key of the running sixth holds no HyperLogLog. Its first four bytes tell, because PFCOUNT
-- takes Redis longer.
function hyperloglog.ready(state)
  local sixth = keyOf(state, state.running)
  local stays = not (state.fresh or state.anew) and state.sixth == state.running
  if not stays then return end
  local begin = call('GETRANGE', sixth, '0', '3')
  if begin ~= '' and begin ~= 'HYLL' then call('PFCOUNT', sixth, sixth) end -- fails, and writes nothing
end

function hyperloglog.charge(state, rule, bucket, at)
  moveOn(state)
  forget(state)
  local union = KEYS[state.index + 1]
  local changed
  if bucket.values then
    call('PFADD', keyOf(state, state.sixth), spread(bucket.values))
    changed = call('PFADD', union, spread(bucket.values))
  else
    call('PFADD', keyOf(state, state.sixth), bucket.value)
    changed = call('PFADD', union, bucket.value)
  end
  if changed == 1 then state.count = call('PFCOUNT', union) end
  state.counted = state.running
  state.clock, state.fresh = max(state.clock, now), false
  remember(state, at)
  state.ttl = ttlMillis(hyperloglog.neededUntil(state, rule))
end

function hyperloglog.save(state)
  saveString(state, state.sixth, state.unionAt, 0)
  for i = 1, 1 + AGES do call('PEXPIRE', KEYS[state.index + i], int(state.ttl)) end
end

function hyperloglog.facts(state, rule, numbers, n)
  numbers[n + 1] = state.count
  local isNew = state.fresh or state.anew
  numbers[n + 2] = isNew and 0 or (state.sixth + AGES) * sixthOf(rule)
  return n + 2
end
