-- Distinct log: io.sluice.limiter.DistinctLog. The key's value: the bucket's clock, the end of its block (0
-- for none), and an entry of 36 bytes for each value, the oldest first: the instant, the value's hash in 16
-- bytes, and the identity of the event that brought the value.

local DISTINCT_HEAD, DISTINCT_ENTRY = 16, 36
local VALUE, EVENT = 8, 24

local distinct = { hasValues = true }

-- The table `index` of a state has the instant of each value, so that each of an arrival's several values is
-- found without a search; it is created for the first such arrival of a call.

function distinct.load(key, rule)
  local value = call('GET', key)
  local state = {
    key = key, fresh = not value, anew = false, clock = 0, ttl = 0, blocked = 0, entries = '', first = 1,
    index = false,
  }
  if not value then return state end
  local blocked
  state.clock, blocked = unpack('<dd', value)
  requireExact(state.clock, blocked)
  if rule.blocks then state.blocked = blocked end
  state.entries = sub(value, DISTINCT_HEAD + 1)
  return state
end

local function instantAt(entries, first)
  return (unpack('<d', entries, first))
end

-- Returns the position in the entries' text of the first entry that is later than an instant.
local function firstAfter(entries, at)
  local low, high = 0, #entries / DISTINCT_ENTRY
  while low < high do
    local middle = floor((low + high) / 2)
    if instantAt(entries, middle * DISTINCT_ENTRY + 1) <= at then low = middle + 1 else high = middle end
  end
  return low * DISTINCT_ENTRY + 1
end

-- Returns the position of the first entry, at or after `from`, that has this text at this offset in the
-- entry; nil if no entry has it.
local function findEntry(entries, text, offset, from)
  local at = find(entries, text, from + offset, true)
  while at and (at - 1 - offset) % DISTINCT_ENTRY > 0 do at = find(entries, text, at + 1, true) end
  return at and at - offset
end

local function valueAt(entries, at)
  return sub(entries, at + VALUE, at + EVENT - 1)
end

local function indexOf(state)
  if not state.index then
    local index, entries = {}, state.entries
    for at = 1, #entries, DISTINCT_ENTRY do index[valueAt(entries, at)] = instantAt(entries, at) end
    state.index = index
  end
  return state.index
end

-- Finds the instant at which each of the arrival's values was admitted, if it is in the window. If all values
-- are in it, `known` is the first instant at which one was admitted.
local function findValues(state, bucket, cutoff)
  local index, ats, count, earliest = indexOf(state), {}, 0, false
  for i, value in ipairs(bucket.values) do
    local at = not state.anew and index[value]
    ats[i] = at and at > cutoff and at
    if ats[i] then
      count = count + 1
      earliest = min(earliest or at, at)
    end
  end
  bucket.ats, bucket.knownCount = ats, count
  bucket.known = count == #bucket.values and earliest
end

-- Finds the entries in the window that ends now, and the instant at which the arrival's value was admitted.
-- An entry exactly one period old has left the window.
function distinct.look(state, rule, bucket)
  local entries = state.entries
  local cutoff = max(rule.gone, now - rule.period)
  state.first = state.anew and #entries + 1 or firstAfter(entries, cutoff)
  if bucket.values then return findValues(state, bucket, cutoff) end
  local known = findEntry(entries, bucket.value, VALUE, state.first)
  bucket.known = known and instantAt(entries, known)
end

function distinct.prior(state)
  local entries = state.entries
  local first, prior, what = findEntry(entries, event, EVENT, state.first), false, false
  while first do
    local at = instantAt(entries, first)
    if sub(entries, first + EVENT, first + DISTINCT_ENTRY - 1) == identity then return at, SAME_RECORD end
    if not prior or at > prior then prior, what = at, SAME_EVENT end
    first = findEntry(entries, event, EVENT, first + DISTINCT_ENTRY)
  end
  return prior, what
end

local function countOf(state)
  return (#state.entries + 1 - state.first) / DISTINCT_ENTRY
end

-- Returns the instant of the n-th entry with another value than the arrival's several values; nil if there are
-- fewer.
local function otherAt(state, bucket, n)
  local entries, own = state.entries, {}
  for _, value in ipairs(bucket.values) do own[value] = true end
  for at = state.first, #entries, DISTINCT_ENTRY do
    if not own[valueAt(entries, at)] then n = n - 1 end
    if n == 0 then return instantAt(entries, at) end
  end
end

-- Returns the instant from which on the window can hold all of the arrival's several values at once.
local function allConformAt(state, rule, bucket)
  local values = #bucket.values
  local needed = countOf(state) - bucket.knownCount + values * min(cost, 1) - rule.permits
  if needed <= 0 then return now end
  if cost > 0 and values > rule.permits then return NEVER end
  return otherAt(state, bucket, needed) + rule.period
end

function distinct.conformsAt(state, rule, bucket)
  if bucket.known then return now end
  if bucket.values then return allConformAt(state, rule, bucket) end
  local needed = countOf(state) + min(cost, 1) - rule.permits
  if needed <= 0 then return now end
  return instantAt(state.entries, state.first + (needed - 1) * DISTINCT_ENTRY) + rule.period
end

-- Whether the arrival's value is in the window that ends at an instant, so that an arrival admitted then is
-- not charged.
function distinct.holds(bucket, at)
  return bucket.known and bucket.known > at - bucket.rule.period
end

local function newestOf(state)
  if countOf(state) == 0 then return -1 end
  return instantAt(state.entries, #state.entries - DISTINCT_ENTRY + 1)
end

function distinct.neededUntil(state, rule)
  return leavesAt(rule, newestOf(state))
end

-- Returns the entries without those that an arrival with several values moves, which have left the window that
-- ends at an instant; and the new entries of the arrival.
local function withoutMoved(state, bucket, at, name)
  local entries, added, moved = sub(state.entries, state.first), {}, false
  local instant, cutoff = pack('<d', at), at - bucket.rule.period
  for i, value in ipairs(bucket.values) do
    local known = bucket.ats[i]
    if not known or known <= cutoff then
      added[#added + 1] = instant .. value .. name
      if known then
        moved = moved or {}
        moved[value] = true
      end
    end
  end
  if not moved then return entries, concat(added) end
  local kept = {}
  for from = 1, #entries, DISTINCT_ENTRY do
    if not moved[valueAt(entries, from)] then kept[#kept + 1] = sub(entries, from, from + DISTINCT_ENTRY - 1) end
  end
  return concat(kept), concat(added)
end

local function withoutKnown(state, bucket, at, name)
  local entries = sub(state.entries, state.first)
  local known = findEntry(entries, bucket.value, VALUE, 1)
  if known then entries = sub(entries, 1, known - 1) .. sub(entries, known + DISTINCT_ENTRY) end
  return entries, pack('<d', at) .. bucket.value .. name
end

function distinct.charge(state, rule, bucket, at)
  local name = anonymous and string.rep('\0', 12) or identity
  local without = bucket.values and withoutMoved or withoutKnown
  local entries, added = without(state, bucket, at, name)
  local place = firstAfter(entries, at)
  state.entries, state.first = sub(entries, 1, place - 1) .. added .. sub(entries, place), 1
  state.index = false
  state.clock, state.fresh, state.anew = max(state.clock, now), false, false
  state.ttl = ttlMillis(distinct.neededUntil(state, rule))
end

function distinct.save(state)
  local head = pack('<dd', state.clock, state.blocked)
  call('SET', state.key, head .. state.entries, 'PX', int(state.ttl))
end

function distinct.facts(state, rule, numbers, n)
  numbers[n + 1] = countOf(state)
  numbers[n + 2] = numbers[n + 1] == 0 and 0 or newestOf(state) + rule.period
  return n + 2
end
