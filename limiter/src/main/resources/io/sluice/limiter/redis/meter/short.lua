-- Fast path (the short way) for most arrivals: no release, one limit that refuses, cost 1, an event that the
-- bucket does not remember. Its answers and stored bytes are those of the kernel, with fewer commands and no tables. If
-- an algorithm's function cannot decide, it returns nil and has changed nothing; then the kernel meters the
-- arrival. An event's hash is read as a double, to avoid a string; a hash that is not a number (NaN) is left
-- to the kernel.

-- Results of an arrival's limits in another backend, as the journal keeps them, by the flags of an arrival
-- that may be plain.
local ELSEWHERE = { [0] = 0, [4] = 0, [8] = 2, [12] = 2, [16] = 4, [20] = 4, [24] = 6, [28] = 6 }

local ANSWER = '<ddddddd'

local lastTtl, lastTtlText = -1, ''

local function ttlText(micros)
  local ttl = ceil(max(0, micros) / 1000) + 1 + graceMillis
  if ttl ~= lastTtl then lastTtl, lastTtlText = ttl, int(ttl) end
  return lastTtlText
end

local makers = {} -- by the algorithm's code: functions that create a rule's function for plain arrivals

function metererOf(row)
  if #row ~= RULE_BYTES or ARGV[7] then return nil end
  local kind, period, permits, capacity, patience, counts, shadow, tolerance, toleranceFraction =
    unpack('<ddddddddd', row)
  if patience > 0 or counts == 1 or shadow == 1 or capacity < 1 or not makers[kind] then return nil end
  return makers[kind](period, permits, tolerance, toleranceFraction)
end
