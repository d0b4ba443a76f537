-- Meters arrivals in order, each against all of its buckets: charged to every limit or to none, as
-- io.sluice.limiter.Metering does. Runs on Redis 6.2 and later.
--
-- The script consists of parts, one after another in one chunk, as io.sluice.limiter.redis.MeterScript joins
-- them; a part can use the declarations of earlier parts:
--   protocol   the call's arguments, and the current arrival
--   journal    earlier answers
--   short      the short way (the fast path) for plain arrivals, then a part for each algorithm that has one
--   kernel     a function that runs only if an arrival is not plain, because its declarations take tens of
--              microseconds. It has the parts:
--     phases     rules that change, and wide numbers
--     ring       arrivals that small states remember
--     a part for each algorithm: a table of functions that the kernel calls
--     rules      the call's rules, by the table `kinds` of algorithms, which Java generates
--     kernel     decides and charges
--   call       meters the arrivals
--
-- KEYS     one per limit and limit key, and per sequence that arrivals come from; in a pipeline, then
--          the key of its last call
-- ARGV[1]  the grace, in milliseconds: how long every key is kept after it is needed
-- ARGV[2]  the rules: for each, doubles: kind, period, permits, capacity, patience,
--          counts attempts, shadow, tolerance's whole micros and fraction (GCRA), or the blocks and the level
--          of the first filter (Bloom)
-- ARGV[3]  the arrivals: for each, doubles: its instant, its slot elsewhere (0 for none), cost, flags (see
--          below), then 8 bytes of its event's hash, then doubles: its record's hash, its sequence's key (0
--          for none) and its position there from 1 on, the number of its buckets, and for each bucket:
--          rule, key, and whole micros and fraction of the cost's span (GCRA), or the ends of the period in
--          which it comes and of the next (calendar), or its position in ARGV[9] and the latest reset
--          (Bloom), or 16 bytes of a value's hash (distinct)
-- ARGV[4]  in a pipeline, the number of the call that must be its last one, or nothing runs; empty for any
-- ARGV[5]  in a pipeline, the number of this call, if another may be sent before it is answered; or empty
-- ARGV[6]  a name that no other call has
-- ARGV[7]  for each rule that changes, doubles: its number, the first instant that the phases sent here
--          cover (0: all are here), their number; and for each phase: its first instant, the latest instant
--          that had left the window by then, whether it is a reset, and the rule in force then
-- ARGV[8]  for each rule that blocks or has calendar periods (ARGV[7] may be empty then), doubles: its
--          number, whether it ever blocks, for how long, a hash of its calendar, for how long it blocks in
--          each of its phases in ARGV[7], and a count; then so many times: an instant at which it is judged
--          (by the numbers of then), another instant, and the ends of the period of that and of later ones
-- ARGV[9]  the places of keys in Bloom filters (ARGV[7] and ARGV[8] may be empty then)
--
-- Reply    one string of doubles: for each arrival: 0 admitted, 1 refused or 2 a duplicate, with CHANGED
--          added if a bucket was judged by other numbers than the rule's own, and BLOCKED if one is
--          blocked; its slot, or 0; then for each bucket: the instant at which it was judged; when it
--          conforms, or NEVER, or LATER if that follows from the state, or SHUT if it was blocked before;
--          when it was charged before, or NOT_CHARGED;
--          with CHANGED, the period, permits, capacity and patience in force; with BLOCKED, the end of
--          the bucket's block, or 0; and the numbers of the state that a decision needs, see `facts` of
--          each kind. The string ends before the first arrival for which phases of a rule are missing:
--          that one and those behind it change nothing. It can also end with LACKS, the instant at which
--          that arrival is judged, and an instant whose period's end is missing.
--          FAILED alone stands for an arrival with a key whose value cannot be read: it is not metered. For
--          each of these, in order, a further string follows: the key, a line break, and the error
--
-- Every time is epoch microseconds. All numbers are integers below 2^53 and so exact. They go to Redis
-- through `int`, never through `..` or tostring, which round to 14 digits; Redis itself would print them as
-- doubles, which takes as long as a command. A string of n bytes costs n steps to create, because Lua hashes
-- all of it, so long strings are cut and joined once.

local NEVER = -1
local LATER = -2
local SHUT = -3
local LACKS = -1
local FAILED = -2
local NOT_CHARGED = -1
local LIMIT = 2 ^ 53 - 1

local ADMITTED, REFUSED, DUPLICATE = 0, 1, 2

local call = redis.call
local spread = unpack
local pack, unpack = struct.pack, struct.unpack
local concat = table.concat
local max, min, floor, ceil = math.max, math.min, math.floor, math.ceil
local byte, sub, gsub, find, match, format =
  string.byte, string.sub, string.gsub, string.find, string.match, string.format

-- Flags of an arrival.
local REFUSED_ELSEWHERE, ANONYMOUS, CLAIMED, MAY_BE_DUPLICATE, ENFORCED_ELSEWHERE = 1, 2, 4, 8, 16
-- The arrival only asks for the answer that it would get. Nothing changes.
local ONLY_ASKS = 32

local function has(flags, flag)
  return flags % (2 * flag) >= flag
end

-- A call that is sent before the one ahead of it is answered must not run if that one did not run, because
-- its arrivals are later ones. That one does not run if Redis had forgotten the script, or was a replica just
-- then.
if ARGV[4] ~= '' or ARGV[5] ~= '' then
  local last = KEYS[#KEYS]
  if ARGV[4] ~= '' and call('GET', last) ~= ARGV[4] then
    return redis.error_reply('SKIPPED the call ahead of this one has not run')
  end
  if ARGV[5] ~= '' then call('SET', last, ARGV[5], 'PX', '60000') else call('DEL', last) end
end

local graceMillis = tonumber(ARGV[1])

local function int(number)
  return format('%d', number)
end

-- The arrival that is being metered, and `now`, the instant at which the current bucket is judged: the
-- algorithms use both. An identity is 8 bytes of the event's hash and 4 of its record's; another record can
-- claim to be the same event only if `claimed` is true.
local now, given, cost, event, identity, anonymous, claimed, asks

-- Index of the key that is being read or written.
local touched = 1

local function textOf(problem)
  return type(problem) == 'table' and problem.err or tostring(problem)
end

-- Whether an error concerns only the value of a key, so that arrivals with other keys do not get it: the
-- value has another type, or this script cannot read it. Any other error is for the caller.
local function isOfOneKey(text)
  return find(text, 'WRONGTYPE', 1, true) or find(text, 'INVALIDOBJ', 1, true) or find(text, '^user_script:%d+: ')
end

-- Fails unless all numbers are at most 2^53 - 1, and so exact; others were not written by this script.
local function requireExact(...)
  for i = 1, select('#', ...) do
    local number = select(i, ...)
    if not (number >= -1 and number <= LIMIT) or number % 1 > 0 then error('the value holds no count') end
  end
end

local function ttlMillis(untilMicros)
  return ceil(max(0, untilMicros - given) / 1000) + 1 + graceMillis
end

local RULE_BYTES = 72

local states = {} -- of the kernel, by the key's index, so that a key is read once
local answers = {}
local metererOf = false -- by the row of a rule: the function for plain arrivals, or nil
