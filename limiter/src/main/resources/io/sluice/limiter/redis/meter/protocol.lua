-- Meters arrivals in order, each against all of its buckets: charged to every limit or to none, as
-- io.sluice.limiter.Metering does. Runs on Redis 6.2 and later.
--
-- The script consists of parts, which io.sluice.limiter.redis.MeterScript joins into one chunk; a part can use the
-- declarations of earlier parts:
--   protocol   the call's arguments, and the arrival that is being metered
--   journal    earlier answers
--   short      the fast path (the short way) for plain arrivals, then a part for each algorithm that has one
--   kernel     a function that runs only if an arrival is not plain, because its declarations take tens of
--              microseconds. It has the parts:
--     phases     rules that change, and numbers that do not fit in a double
--     ring       the last admitted arrivals, which states of a fixed size remember
--     a part for each algorithm: a table of functions that the kernel calls
--     rules      the call's rules, by the table `kinds` of algorithms, which Java generates
--     kernel     decides and charges
--   arrivals   the arrivals of the call, and arrivals that fail
--   call       meters the arrivals; or, in the script for releases:
--   queue      meters the releases of one queue
--
-- KEYS     one per limit and limited key, and one per sequence of arrivals (its journal); in a pipeline, then
--          the key with the number of the pipeline's last call
-- ARGV[1]  the grace, in milliseconds, for which every key is kept after it is needed
-- ARGV[2]  the rules, in doubles. For each rule: algorithm's code, period, permits, capacity, patience, whether it
--          counts attempts, whether it is a shadow limit, and the tolerance's whole microseconds and fraction
--          (GCRA), or the number of blocks and the error level of the first filter (Bloom)
-- ARGV[3]  the arrivals. For each arrival, in doubles: its instant, the latest instant at which it may be admitted
--          if it is a release (0 if it is not), its slot in another backend (0 for none), its cost, its flags
--          (see the constants below), then 8 bytes of its event's hash, then in doubles: its
--          record's hash, the index of its sequence's key (0 for none) and its position in the sequence from 1
--          on, the position from which on the sequence's answers are needed, the number of its buckets. For each
--          of its buckets: the number of the rule, the index of the key, and the whole microseconds and fraction
--          of the time that its cost takes (GCRA), or the ends of the period in which the arrival comes and of
--          the next period (calendar), or the index in ARGV[9] of its positions in the filters and the latest
--          reset (Bloom), or 16 bytes of a value's hash (distinct), or, of an arrival with several values, the
--          index in ARGV[9] of its values and their number (distinct)
-- ARGV[4]  in a pipeline, the number of the call that must have run last, or nothing runs; empty for any call
-- ARGV[5]  in a pipeline, the number of this call, if another call may be sent before this one is answered; or empty
-- ARGV[6]  a name that no other call has
-- ARGV[7]  the phases of each rule that changes, in doubles: the rule's number, the first instant that the phases in
--          this call cover (0 if all phases are in it), and their number; and for each phase: its first instant,
--          the latest instant that had left the window by then, whether it is a reset, and the rule in force then
-- ARGV[8]  for each rule that blocks or has calendar periods, in doubles (ARGV[7] may be empty then): the rule's
--          number, whether it ever blocks, the length of its blocks, a hash of its calendar, the length of its
--          blocks in each of its phases in ARGV[7], and a number. Then, that many times: an instant at which a
--          bucket is judged (by the numbers in force then), another instant, and the ends of the period that
--          contains the other instant and of the following periods
-- ARGV[9]  the positions of keys in Bloom filters, and the values of arrivals with several, 16 bytes of hash each
--          (ARGV[7] and ARGV[8] may be empty then)
-- ARGV[10] in the script for releases, in doubles: the epoch of the queue's owner, the number up to which its
--          releases are committed, the index of the queue's key, and whether to begin a new epoch. For each
--          arrival: its number, its rank, the instant since which it waits. For each of its buckets: whether its
--          limit is a queue limit, the index of the key of its waiting queues (0 if no other queue shares it), and
--          the rank from which on a head that was refused earlier keeps the bucket closed (-1 if none does)
-- ARGV[11] in the script for releases, the queue's name
--
-- Reply    one string of doubles. For each arrival: 0 if it is admitted, 1 if refused, 2 if a duplicate, with
--          CHANGED added if a bucket was judged by other numbers than the rule's first ones, and BLOCKED added if a
--          bucket is blocked; the arrival's slot, or 0. Then for each bucket: the instant at which it was judged;
--          the instant at which the arrival conforms, or NEVER, or LATER if that instant follows from the state, or
--          SHUT if the bucket was blocked before; the instant for which the arrival was charged before, or
--          NOT_CHARGED; with CHANGED, the period, permits, capacity and patience in force; with BLOCKED, the end
--          of the bucket's block, or 0; and the numbers of the state that a decision needs, see `facts` of each
--          algorithm. The string ends before the first arrival for which the call brings too few phases of a
--          rule: that arrival and the arrivals after it change nothing. The string can also end with LACKS, the
--          instant at which that arrival is judged, and an instant for which the end of its period is missing.
--          FAILED alone stands for an arrival that was not metered, because the value of one of its keys cannot be
--          read. For each such arrival, in order, a further string follows: the key, a line break, and the error.
--          In the script for releases, BEHIND stands for a release that was not metered, with the instant until
--          which it is behind another queue, and the number of the bucket (0 and 0 if it is behind an earlier
--          release of its queue); FENCED for one whose owner is not the latest one; BEGUN for a new epoch, with
--          its number
--
-- Every time is in microseconds, and every instant since the epoch. All numbers are integers below 2^53, and so exact
-- as doubles. They go to Redis through `int`, never through `..` or tostring, which round to 14 digits; Redis itself
-- would print them as doubles, which takes as long as a command. A string of n bytes takes n steps to create, because
-- Lua hashes all of it, so long strings are cut and joined once.

local NEVER = -1
local LATER = -2
local SHUT = -3
local LACKS = -1
local FAILED = -2
local BEHIND = -3
local FENCED = -4
local BEGUN = -5
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

-- Flags of an arrival, as io.sluice.limiter.redis.ScriptCall sends them.
local REFUSED_ELSEWHERE, ANONYMOUS, CLAIMED, MAY_BE_DUPLICATE, ENFORCED_ELSEWHERE = 1, 2, 4, 8, 16
-- Flag of an arrival that only asks for the answer that it would get, and changes nothing.
local ONLY_ASKS = 32
-- Flag of an arrival that has several values under a limit on distinct values.
local SEVERAL_VALUES = 64
-- Flag of an arrival whose answer may be in a second journal, whose key follows that of its own.
local TWO_JOURNALS = 128

local function has(flags, flag)
  return flags % (2 * flag) >= flag
end

-- In a pipeline, a call is sent before the call ahead of it is answered. It must not run if the call ahead
-- did not run, because its arrivals come after those of that call. The call ahead does not run if Redis had
-- forgotten the script, or was a replica just then.
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

-- The arrival that is being metered, and `now`, the instant at which its current bucket is judged: the
-- algorithms use both. `given` is its instant, `latest` the latest instant of a release (0 if it is none). An
-- identity is 8 bytes of the event's hash and 4 bytes of the record's hash; another record can claim to be the
-- same event only if `claimed` is true.
local now, given, latest, cost, event, identity, anonymous, claimed, asks

-- Index in KEYS of the key that is being read or written, for an error message.
local touched = 1

local function textOf(problem)
  return type(problem) == 'table' and problem.err or tostring(problem)
end

-- Whether an error concerns only the value of one key, so that arrivals with other keys can be metered: the
-- value has another type, or this script cannot read it. Any other error ends the call.
local function isOfOneKey(text)
  return find(text, 'WRONGTYPE', 1, true) or find(text, 'INVALIDOBJ', 1, true) or find(text, '^user_script:%d+: ')
end

-- Fails unless all numbers are whole, at least -1 and at most 2^53 - 1: other numbers were not written by
-- this script.
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

local states = {} -- states of the kernel, by the key's index, so that a key is read once
local answers = {}
local metererOf = false -- by the row of a rule: its function for plain arrivals, or nil
