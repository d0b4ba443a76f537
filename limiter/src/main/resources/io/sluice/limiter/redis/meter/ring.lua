-- Ring of the last 4 arrivals that a bucket has admitted, for states that keep no entry for each arrival. An
-- arrival takes 20 bytes: its identity, and the instant of its charge (io.sluice.limiter.rows.LastAdmitted).
-- A look-up returns the instant of the earlier charge, and whether that was of the same record, or of another
-- record that claims to be the same event.

local SAME_RECORD, SAME_EVENT = 1, 2
local MOST, ENTRY = 4, 20
local HEAD = 32

local function priorInRing(state, rule)
  local value = state.ring
  if value == '' or state.anew or not find(value, event, 1, true) then return false end
  local after, prior, what = max(rule.gone, now - rule.period), false, false
  for first = 1, #value, ENTRY do
    if sub(value, first, first + 7) == event then
      local at = unpack('<d', value, first + 12)
      if at > after then
        if sub(value, first, first + 11) == identity then return at, SAME_RECORD end
        if not prior or at > prior then prior, what = at, SAME_EVENT end
      end
    end
  end
  return prior, what
end

-- Forgets the admitted arrivals of a state that is being reset.
local function forget(state)
  if state.anew then state.ring, state.anew = '', false end
end

local function remember(state, at)
  forget(state)
  if anonymous then return end
  local ring = state.ring .. identity .. pack('<d', at)
  state.ring = #ring > MOST * ENTRY and sub(ring, -MOST * ENTRY) or ring
end

-- Returns the latest instant of a charge in the ring, in epoch microseconds; -1 if the ring is empty.
local function newestInRing(state)
  local newest = -1
  for first = 13, #state.ring, ENTRY do newest = max(newest, (unpack('<d', state.ring, first))) end
  return newest
end

-- Event hash that no event has. An entry with it is not an arrival, but a rate or, as the ring's last entry,
-- the end of the bucket's block. Releases that know neither rates nor blocks pass over such an entry.
local NO_EVENT = '\0\0\0\0\0\0\0\0'

local function takeBlock(state, rule)
  if not rule.blocks or sub(state.ring, -ENTRY, 7 - ENTRY) ~= NO_EVENT then return end
  state.blocked = unpack('<d', state.ring, #state.ring - 7)
  requireExact(state.blocked)
  state.ring = sub(state.ring, 1, -1 - ENTRY)
end

-- Returns the ring as it is stored: with the end of the bucket's block as its last entry, if the bucket has
-- one.
local function ringOf(state)
  if state.blocked == 0 then return state.ring end
  return state.ring .. NO_EVENT .. '\0\0\0\0' .. pack('<d', state.blocked)
end

-- Reads a state that is stored as one string: the bucket's clock, three numbers and a ring. The string is
-- written once, when the script ends. The Lua table of a state has all its fields from the beginning, because
-- Lua would allocate the table again for further fields.
local function readString(key)
  local value = call('GET', key)
  if not value then return false, 0, 0, 0, 0 end
  local clock, first, second, third = unpack('<dddd', value)
  requireExact(clock, first, second, third)
  return sub(value, HEAD + 1), clock, first, second, third
end

local function saveString(state, first, second, third, keepTtl)
  local value = pack('<dddd', state.clock, first, second, third) .. ringOf(state)
  if keepTtl then call('SET', state.key, value, keepTtl) else call('SET', state.key, value, 'PX', int(state.ttl)) end
end
