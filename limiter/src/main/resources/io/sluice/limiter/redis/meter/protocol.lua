-- Meters arrivals in order, each against all of its buckets: charged to every limit or to none, as
-- io.sluice.limiter.Metering does. Runs on Redis 6.2 and later.
--
-- The script is these parts, one after another in one chunk, as io.sluice.limiter.redis.MeterScript
-- joins them; a part may use what those before it declare. protocol: the call's arguments, and the
-- arrival in question. journal: what was answered before. short, and a part for each algorithm that has
-- it: the short way for plain arrivals. Then, in a function `kernel` that runs only if something is not
-- plain, since it takes tens of microseconds to declare all this: phases: rules that change, and wide
-- numbers. ring: what small states remember of arrivals. A part for each algorithm: a table of functions
-- that the kernel calls. rules: the call's rules, by the table `kinds` of algorithms, which is made from
-- the list of them in Java. kernel: decides and charges. Last, call: goes through the arrivals.
--
-- KEYS     one per limit and limit key, and per sequence that arrivals come from; in a pipeline, then
--          the key of its last call
-- ARGV[1]  the grace that every key is kept beyond its need, in milliseconds
-- ARGV[2]  the rules: for each, doubles: kind, period, permits, capacity, patience,
--          counts attempts, shadow, tolerance's whole micros and fraction (GCRA)
-- ARGV[3]  the arrivals: for each, doubles: the instant at which it comes, its slot elsewhere (0 for
--          none), cost, flags (see there), then 8 bytes of its event's hash, then doubles: its
--          record's hash, its sequence's key (0 for none) and its position there from 1 on, the
--          number of its buckets, and for each bucket: rule, key, whole micros and fraction of the
--          cost's span (GCRA), or the ends of the period in which it comes and the next (calendar),
--          or 16 bytes of a value's hash (distinct)
-- ARGV[4]  in a pipeline, the call that must be its last, or nothing runs; empty if any may be
-- ARGV[5]  in a pipeline, this call, if another may be sent before it is answered; or empty
-- ARGV[6]  a name that no other call has
-- ARGV[7]  if a rule changes, for each that does, doubles: its number, the first instant that its phases here
--          tell of (0: all are here), how many there are; and of each phase: its first instant, the latest
--          instant that had left the window by then, begins anew, and the rule as it is then
--
-- ARGV[8]  if a rule blocks or is of a calendar (ARGV[7] may be empty then), for each that does or is,
--          doubles: its number, whether it ever blocks, how long, what tells its calendar from others, how
--          long it blocks in each of its phases in ARGV[7], and then how many times: an instant by whose
--          numbers it is judged, another one, and the ends of that one's period and of those behind it
--
-- Reply    one string of doubles: for each arrival: 0 admitted, 1 refused or 2 a duplicate, and CHANGED
--          added if a bucket was judged by other numbers than a rule's own, and BLOCKED if one is
--          blocked; its slot, or
--          0; for each bucket of it: the instant at which it was judged; when it conforms, or
--          NEVER, or LATER if that follows from the state, or SHUT if it was blocked before; when it was
--          charged before, or NOT_CHARGED;
--          with CHANGED, the period, permits, capacity and patience in force; with BLOCKED, until when the
--          bucket is, or 0; and
--          what of the state a decision needs, see `facts` of each kind. It ends before the first arrival
--          for which too little of a rule's phases is here: nothing is changed by that one and those behind;
--          or with LACKS, the instant at which that is judged, and one whose period's end is not here.
--          FAILED alone stands for an arrival with a key whose value cannot be read: it is not metered. Behind the
--          string there is one more for each of these, in their order: the key, a line break, and the error
--
-- Every time is epoch microseconds. All numbers are integers below 2^53 and so exact. They go to Redis
-- through `int`, never through `..` or tostring, which round to 14 digits; Redis itself would print
-- them as doubles, which takes as long as a command. A string of n bytes costs n steps to make, because
-- Lua hashes all of it, so what is long is cut and joined once.

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
-- It does not come, but asks what it would be told. Nothing changes then.
local ONLY_ASKS = 32

local function has(flags, flag)
  return flags % (2 * flag) >= flag
end

-- A call that is sent before the one ahead of it is answered must not run if that one did not, be it
-- that Redis had forgotten the script or was a replica just then: its arrivals are the later ones.
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

-- The arrival being metered, and the instant at which the bucket in question is judged: what the kinds
-- below need of it. An identity is 8 bytes of the event's hash and 4 of its record's; only where it is
-- claimed can another record claim to be the same event.
local now, given, cost, event, identity, anonymous, claimed, asks

-- The key that is being read or written, by its index.
local touched = 1

local function textOf(problem)
  return type(problem) == 'table' and problem.err or tostring(problem)
end

-- Whether an error is of the value that a key has, so that arrivals with other keys do not get it: the value is
-- of another type, or this script cannot read it. Any other error is for the caller.
local function isOfOneKey(text)
  return find(text, 'WRONGTYPE', 1, true) or find(text, 'INVALIDOBJ', 1, true) or find(text, '^user_script:%d+: ')
end

-- Every number that is stored is below 2^53, and so exact; what is not has been written by something else.
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

local states = {} -- of the kernel, by index of the key, so that a key is read once
local answers = {}
local metererOf = false -- by a row of a rule: the function that meters plain arrivals, or nothing
