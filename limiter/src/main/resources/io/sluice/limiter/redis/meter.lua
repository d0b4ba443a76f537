-- Meters arrivals in order, each against all of its claims: charged to every limit or to none, as
-- io.sluice.limiter.Metering does. Runs on Redis 6.2 and later.
--
-- KEYS     one per limit and limit key, and per sequence that arrivals come from; in a pipeline, then
--          the key of its last call
-- ARGV[1]  the grace that every key is kept beyond its need, in milliseconds
-- ARGV[2]  the rules: for each, doubles: kind, period, permits, capacity, patience,
--          counts attempts, shadow, tolerance's whole micros and fraction (GCRA)
-- ARGV[3]  the arrivals: for each, doubles: now, since, not before, cost, flags (1 refused
--          elsewhere, 2 like no other), index of its name in ARGV, then 8 bytes of its id's hash,
--          then its sequence's key (0 for none) and its position there from 1 on, then the number of
--          its claims, and for each claim: rule, key, whole micros and fraction of the cost's span
--          (GCRA)
-- ARGV[4]  in a pipeline, the call that must be its last, or nothing runs; empty if any may be
-- ARGV[5]  in a pipeline, this call, if another may be sent before it is answered; or empty
-- ARGV[6+] the names that arrivals have as members of a log
--
-- Reply    one string of doubles: for each arrival: admitted, the clock it came with, the one it was
--          judged by, the instant it is charged at; for each claim of it: when it conforms, or NEVER,
--          or LATER if that follows from the state; when it was met before, -instant - 1 if it was
--          refused then, or NOT_MET; and what of the state a decision needs, see `facts` of each kind
--
-- Every time is epoch microseconds. All numbers are integers below 2^53 and so exact. They go to Redis
-- through `int`, never through `..` or tostring, which round to 14 digits; Redis itself would print
-- them as doubles, which takes as long as a command. A string of n bytes costs n steps to make, because
-- Lua hashes all of it, so what is long is cut and joined once.

local NEVER = -1
local LATER = -2
local NOT_MET = -9007199254740991

local call = redis.call
local spread = unpack
local pack, unpack = struct.pack, struct.unpack
local concat = table.concat
local max, min, floor, ceil = math.max, math.min, math.floor, math.ceil
local byte, sub, find, match, format =
  string.byte, string.sub, string.find, string.match, string.format

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

-- The event being metered; what the kinds below need of it.
local now, given, since, cost, name, hash, anonymous

local function ttlMillis(untilMicros)
  return ceil(max(0, untilMicros - given) / 1000) + 1 + graceMillis
end

------------------------------------------------------------------------------------------------
-- Remembered events: beside states too small to hold them, the last 256, 16 bytes each: hash, and
-- the instant charged at, or -instant - 1 if refused.

local RING = 256
local HEAD = 32

local function metInRing(state, rule)
  if state.newest <= now - rule.period then return false end
  local met = state.added and state.added[hash]
  if not met then
    local value, from = state.value, HEAD + 1
    while true do
      local at = find(value, hash, from, true)
      if not at then break end
      if at % 16 == 1 then met = unpack('<d', value, at + 8) end
      from = at + 1
    end
  end
  if not met then return false end
  local instant = met < 0 and -met - 1 or met
  return instant > now - rule.period and met
end

local function remember(state, rule, met)
  state.cutoff = max(state.cutoff, now - rule.period)
  if anonymous then return end
  local added, entry = state.added, hash .. pack('<d', met)
  if added then
    added[hash] = met
    added[#added + 1] = entry
  else
    state.added = { entry, [hash] = met }
  end
  state.newest = max(state.newest, met < 0 and -met - 1 or met)
end

-- A state is three numbers, the newest remembered instant and a ring, in one string. It is written
-- once, when the script ends. Its table has all its fields from the first, or it is made twice.
local function readString(key)
  local value = call('GET', key)
  if not value then return '', 0, 0, 0, -1 end
  return value, unpack('<dddd', value)
end

-- What was remembered before, without what has expired, as far as there is room for it.
local function keptOfRing(state, added)
  local value, cutoff = state.value, state.cutoff
  local first = max(HEAD + 1, #value - 16 * (RING - added) + 1)
  while first < #value do
    local oldest = unpack('<d', value, first + 8)
    if (oldest < 0 and -oldest - 1 or oldest) > cutoff then break end
    first = first + 16
  end
  return sub(value, first)
end

local function saveString(state, first, second, third)
  local head = pack('<dddd', first, second, third, state.newest)
  local added = state.added or {}
  local kept = keptOfRing(state, #added)
  local new = #added == 1 and added[1] or concat(added, '', max(1, #added - RING + 1))
  call('SET', state.key, head .. kept .. new, 'PX', int(state.ttl))
end

------------------------------------------------------------------------------------------------
-- GCRA: io.sluice.limiter.Gcra, the same sums. The key's value: TAT's whole micros, its fraction in
-- 1/permits of a microsecond, the last instant reserved.

local gcra = { met = metInRing }

function gcra.load(key, rule)
  local value, tat, fraction, reserved, newest = readString(key)
  if fraction >= rule.permits then -- the quota has changed since
    tat = tat + 1
    fraction = 0
  end
  return {
    key = key, value = value, newest = newest, cutoff = -1, added = false, ttl = 0, clock = 0,
    tat = tat, fraction = fraction, reserved = reserved,
  }
end

function gcra.look() end

function gcra.conformsAt(state, rule, claim)
  local from = rule.patience > 0 and max(now, state.reserved) or now
  local tat, fraction = state.tat, state.fraction
  if tat < from then tat, fraction = from, 0 end
  fraction = fraction + claim.fraction - rule.toleranceFraction
  local carry = fraction > rule.permits and 2 or fraction > 0 and 1 or 0
  return max(from, tat + claim.span - rule.tolerance + carry)
end

function gcra.charge(state, rule, claim, at)
  local tat, fraction = state.tat, state.fraction
  if tat < at then tat, fraction = at, 0 end
  tat, fraction = tat + claim.span, fraction + claim.fraction
  if fraction >= rule.permits then tat, fraction = tat + 1, fraction - rule.permits end
  state.tat, state.fraction = tat, fraction
  if rule.patience > 0 and at > now then state.reserved = at end
  if state.reserved <= now then state.reserved = 0 end
  remember(state, rule, at)
  state.ttl = ttlMillis(max(tat + (fraction > 0 and 1 or 0), state.newest + rule.period))
end

function gcra.save(state)
  saveString(state, state.tat, state.fraction, state.reserved)
end

function gcra.facts(state, rule, numbers, n)
  numbers[n + 1], numbers[n + 2] = state.tat, state.fraction
  return n + 2
end

------------------------------------------------------------------------------------------------
-- Sliding window counter: io.sluice.limiter.WindowCounter. The key's value: the running period's
-- start, the last period's count, the running one's.

local counter = { met = metInRing }

function counter.load(key)
  local value, start, last, running, newest = readString(key)
  return {
    key = key, value = value, newest = newest, cutoff = -1, added = false, ttl = 0, clock = start,
    stored = { start, last, running }, start = 0, last = 0, running = 0,
  }
end

-- The counters as of now. What is stored stays as it is until something is charged.
function counter.look(state, rule)
  local start, last, running = state.stored[1], state.stored[2], state.stored[3]
  local begun = now - now % rule.period
  if begun > start then
    last = begun - start <= rule.period and running or 0
    start, running = begun, 0
  end
  state.start, state.last, state.running = start, last, running
end

-- Whether a * d <= c * b, for b and d not 0: compares a/b with c/d, digit by digit of their
-- continued fractions, because the products do not fit.
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

function counter.charge(state, rule, claim, at, refused)
  state.running = min(4503599627370496, state.running + cost)
  state.clock, state.stored = state.start, { state.start, state.last, state.running }
  remember(state, rule, refused and -at - 1 or at)
  state.ttl = ttlMillis(max(state.start + 2 * rule.period, state.newest + rule.period))
end

function counter.save(state)
  saveString(state, state.stored[1], state.stored[2], state.stored[3])
end

function counter.facts(state, rule, numbers, n)
  numbers[n + 1], numbers[n + 2], numbers[n + 3] = state.start, state.last, state.running
  return n + 3
end

------------------------------------------------------------------------------------------------
-- Sliding window log: io.sluice.limiter.WindowLog. The key is a sorted set; an arrival is a member
-- named for its event with the instant as score. What else there is to know has scores that no
-- instant has:
--   -1 - instant   '\3', cost - 1 in 4 bytes, member: an entry at that instant costs more than 1
--   -1 - instant   '\5', member: an entry that was admitted and then dropped as it cannot matter
--   MEMO           '\0', clock, newest entry, sum of cost - 1 in doubles: there only while some
--                  entry costs more than 1 or lies ahead of the clock; without it the clock is the
--                  newest entry
-- A member that begins with '\1' is an attempt that was refused.

local MEMO = '9007199254740991'
local LAST = '9007199254740990'
local BATCH = 100

local log = {}

function log.load(key)
  local state = {
    key = key, clock = 0, newest = -1, extra = 0, memo = false, expired = -1, ttl = 0,
    cutoff = -1, live = '0', count = 0, extraIn = 0, marks = 0, used = 0,
  }
  local top = call('ZREVRANGE', key, '0', '0', 'WITHSCORES')
  if #top == 0 then return state end
  if byte(top[1]) == 0 then
    state.memo = top[1]
    state.clock, state.newest, state.extra = unpack('<ddd', top[1], 2)
  else
    state.newest = tonumber(top[2])
    state.clock = state.newest
  end
  return state
end

local function extraOf(member)
  return byte(member) == 3 and unpack('<I4', member, 2) or 0
end

-- What entries up to the cutoff cost beyond 1 each, and how many marks there are after it.
local function extraGone(state)
  local marks = call('ZCOUNT', state.key, '-inf', '-1')
  local live = marks - call('ZCOUNT', state.key, int(-1 - state.cutoff), '-1')
  local gone = 0
  for first = live, marks - 1, BATCH do
    local batch = call('ZRANGE', state.key, int(first), int(min(first + BATCH, marks) - 1))
    for i = 1, #batch do gone = gone + extraOf(batch[i]) end
  end
  return gone, live
end

-- Finds out what is in the window that ends now. An entry exactly one period old is gone.
function log.look(state, rule)
  local cutoff = max(-1, now - rule.period)
  state.cutoff = cutoff
  state.live = int(cutoff + 1)
  state.count = call('ZCOUNT', state.key, state.live, LAST)
  state.extraIn, state.marks = 0, 0
  if state.extra > 0 then
    local gone
    gone, state.marks = extraGone(state)
    state.extraIn = state.extra - gone
  end
  state.used = state.count + state.extraIn
end

function log.met(state, rule)
  if state.newest <= state.cutoff then return false end
  local at, refused
  if rule.counts then
    local scores = call('ZMSCORE', state.key, name, '\1' .. name, '\5' .. name)
    refused = scores[2]
    at = scores[1] or refused or scores[3]
  else
    at = call('ZSCORE', state.key, name)
  end
  if not at then return false end
  at = tonumber(at)
  if at < 0 then at = -1 - at end
  if at <= state.cutoff then return false end
  return refused and -at - 1 or at
end

-- The instant of the i-th entry in the window, from the oldest.
local function instant(state, i)
  local fromNewest = int(state.count - i + (state.memo and 1 or 0))
  return tonumber(call('ZREVRANGE', state.key, fromNewest, fromNewest, 'WITHSCORES')[2])
end

local function countTo(state, at)
  return call('ZCOUNT', state.key, state.live, int(at))
end

-- Of marks in a batch, latest first, the earliest with which `needed` permits are reached: its
-- instant, and the extra before it.
local function searchMarks(state, batch, extra, needed)
  local before = {}
  for i = #batch - 1, 1, -2 do
    before[i] = extra
    extra = extra + extraOf(batch[i])
  end
  local low, high = 0, #batch / 2 - 1
  while low < high do
    local middle = floor((low + high + 1) / 2)
    local i = 2 * middle + 1
    local at = -1 - tonumber(batch[i + 1])
    if before[i] + extraOf(batch[i]) + countTo(state, at) >= needed then
      low = middle
    else
      high = middle - 1
    end
  end
  local i = 2 * low + 1
  return -1 - tonumber(batch[i + 1]), before[i]
end

-- The instant of the entry with which, counted from the oldest, this many permits are reached.
local function freedAt(state, needed)
  if state.extraIn == 0 or needed == 1 then return instant(state, needed) end
  local extra, last = 0, state.marks - 1
  while last >= 0 do
    local first = max(0, last - BATCH + 1)
    local batch = call('ZRANGE', state.key, int(first), int(last), 'WITHSCORES')
    local sum = extra
    for i = 1, #batch, 2 do sum = sum + extraOf(batch[i]) end
    if sum + countTo(state, -1 - tonumber(batch[2])) >= needed then
      local bound
      bound, extra = searchMarks(state, batch, extra, needed)
      if needed - extra > state.count then return bound end
      return min(bound, instant(state, needed - extra))
    end
    extra = sum
    last = first - 1
  end
  return instant(state, needed - extra)
end

function log.conformsAt(state, rule)
  local from = rule.patience > 0 and max(now, state.newest) or now
  local needed = state.used + cost - rule.permits
  if needed <= 0 then return from end
  return max(from, freedAt(state, needed) + rule.period)
end

-- Attempts are counted without bound, but while newer ones alone exceed the permits an older one
-- decides nothing, and is dropped once there are RING of them. One that was admitted is still known
-- by its mark. Of entries at one instant it is not known which came first, so they are dropped
-- together, or when there are far too many of them.
local function dropWhatCannotMatter(state, rule)
  local excess = state.used + cost - rule.permits
  if excess <= 1 or state.count < RING then return end
  local key, dispensable = state.key, freedAt(state, min(excess, state.used))
  for _ = 1, 16 do
    local oldest = call('ZRANGEBYSCORE', key, state.live, LAST, 'WITHSCORES', 'LIMIT', '0', '1')
    local member, at, extra = oldest[1], tonumber(oldest[2]), 0
    if at >= dispensable and excess <= rule.permits + RING then return end
    local mark = int(-1 - at)
    if state.extraIn > 0 then
      local costly = call('ZRANGEBYSCORE', key, mark, mark, 'LIMIT', '0', '1')[1]
      extra = costly and extraOf(costly) or 0
      if excess - 1 - extra <= 0 then return end
      if extra > 0 then
        call('ZREM', key, costly)
        member = sub(costly, 6) -- any entry of that instant will do
      end
    end
    call('ZREM', key, member)
    if byte(member) ~= 1 then call('ZADD', key, mark, '\5' .. member) end
    state.count = state.count - 1
    state.extraIn = state.extraIn - extra
    state.used = state.used - 1 - extra
    excess = excess - 1 - extra
    if excess <= 1 or state.count < RING then return end
  end
end

-- Expired entries, and marks of them: in nobody's way until the script ends, unless they cost more
-- than 1, or are attempts of an event that is there again under another name.
local function dropExpired(state)
  call('ZREMRANGEBYSCORE', state.key, int(-1 - state.expired), int(state.expired))
end

function log.charge(state, rule, claim, at, refused)
  if rule.counts then dropWhatCannotMatter(state, rule) end
  local key, memo = state.key, false
  local member = refused and '\1' .. name or name
  local extra = state.extraIn + cost - 1
  local clock, newest = max(state.clock, now), max(state.newest, at)
  if extra > 0 or newest ~= clock then memo = '\0' .. pack('<ddd', clock, newest, extra) end
  if not memo then
    call('ZADD', key, int(at), member)
  elseif cost == 1 then
    call('ZADD', key, int(at), member, MEMO, memo)
  else
    local mark = '\3' .. pack('<I4', cost - 1) .. member
    call('ZADD', key, int(at), member, MEMO, memo, int(-1 - at), mark)
  end
  if state.memo and state.memo ~= memo then call('ZREM', key, state.memo) end
  state.expired = max(state.expired, state.cutoff)
  if state.extra > 0 or rule.counts then dropExpired(state) end
  state.ttl = ttlMillis(newest + rule.period)
  state.clock, state.newest, state.extra, state.memo = clock, newest, extra, memo
  state.count, state.used = state.count + 1, state.used + cost
  state.extraIn = extra
  if refused and extra > 0 then log.look(state, rule) end
end

function log.save(state)
  dropExpired(state)
  call('PEXPIRE', state.key, int(state.ttl))
end

function log.facts(state, rule, numbers, n)
  numbers[n + 1] = state.used
  numbers[n + 2] = state.newest > state.cutoff and state.newest + rule.period or 0
  return n + 2
end

------------------------------------------------------------------------------------------------
-- Journals: what the last arrivals of a sequence were answered, such as those of a topic's partition.
-- An arrival comes again if its answer was lost, or who had asked; then it is answered the same, however
-- the state has changed since. Its id alone would not do: it is remembered only if it was charged, and
-- for a time. The key is a stream. An entry has the last position in it as its id, and holds, in
-- MessagePack, for each arrival: position, hash, since, what it was judged by, whether it was refused
-- elsewhere, the answer.

local KEPT = 20000
local KEPT_MILLIS = 300000

local journals = {}

local function journalOf(index)
  local journal = journals[index]
  if not journal then
    journal = { key = KEYS[index], known = 0, ended = false, old = {}, added = {}, last = 0 }
    journals[index] = journal
  end
  return journal
end

local function readEntry(journal, entry)
  local list = cmsgpack.unpack(entry[2][2])
  for at = 1, #list, 6 do journal.old[list[at]] = { list = list, at = at } end
  journal.known = tonumber(match(entry[1], '^%d+'))
end

-- What the arrival at this position was answered, if it was; if that was another one, the sequence
-- has begun anew.
local function recall(journal, position, judgedBy)
  while not journal.ended and journal.known < position do
    local entry = call('XRANGE', journal.key, int(position), '+', 'COUNT', '1')[1]
    if entry then readEntry(journal, entry) else journal.ended = true end
  end
  local old = journal.old[position]
  if not old then return nil end
  local list, at = old.list, old.at
  if list[at + 1] == hash and list[at + 2] == since and list[at + 3] == judgedBy then return old end
  call('DEL', journal.key)
  journal.known, journal.ended, journal.old = 0, true, {}
  return nil
end

-- Positions that have been passed over are not written down any more.
local function note(journal, position, judgedBy, elsewhere, answer)
  if position <= journal.known or position <= journal.last then return end
  local added = journal.added
  local n = #added
  added[n + 1], added[n + 2], added[n + 3] = position, hash, since
  added[n + 4], added[n + 5], added[n + 6] = judgedBy, elsewhere, answer
  journal.last = position
end

local function saveJournal(journal)
  if #journal.added == 0 then return end
  local trim = int(max(0, journal.last - KEPT))
  local entry = cmsgpack.pack(journal.added)
  call('XADD', journal.key, 'MINID', '~', trim, int(journal.last), '', entry)
  call('PEXPIRE', journal.key, int(KEPT_MILLIS + graceMillis))
end

------------------------------------------------------------------------------------------------

local kinds = { [0] = gcra, log, counter }

local rules = {}
for at = 1, #ARGV[2], 72 do
  local kind, period, permits, capacity, patience, counts, shadow, tolerance, toleranceFraction =
    unpack('<ddddddddd', ARGV[2], at)
  rules[#rules + 1] = {
    kind = kinds[kind],
    period = period,
    permits = permits,
    capacity = capacity,
    patience = patience,
    counts = counts == 1,
    shadow = shadow == 1,
    tolerance = tolerance,
    toleranceFraction = toleranceFraction,
    digest = sub(redis.sha1hex(sub(ARGV[2], at, at + 71)), 1, 8),
  }
end

local states = {} -- by index of the key, so that a key is read once
local unsaved = {}
local answers = {}
local claims = {}

local function charge(claim, at, refused)
  local state, rule = claim.state, claim.rule
  rule.kind.charge(state, rule, claim, at, refused)
  unsaved[state] = rule.kind
end

local function countAttempt(claim)
  local rule = claim.rule
  if not rule.counts or claim.met or claim.conformsAt == NEVER then return end
  charge(claim, now, true)
  claim.conformsAt = rule.kind.conformsAt(claim.state, rule, claim)
end

-- Charges the arrival to every limit; a limit that only watches never delays the others.
local function admit(count, at)
  if cost == 0 then return end
  for i = 1, count do
    local claim = claims[i]
    if not claim.rule.shadow then
      if not claim.met then charge(claim, at, false) end
    elseif not claim.patient then
      countAttempt(claim)
    elseif not claim.met then
      charge(claim, max(at, claim.conformsAt), false)
    end
  end
end

-- Charges nothing, but to limits that count attempts.
local function refuse(count)
  if cost == 0 then return end
  for i = 1, count do countAttempt(claims[i]) end
end

-- Reads the arrival's claims and their states, and sets the clock it is judged by.
local function readClaims(count, offset)
  for i = 1, count do
    local claim = claims[i] or {}
    local rule, key
    rule, key, claim.span, claim.fraction, offset = unpack('<dddd', ARGV[3], offset)
    claim.rule = rules[rule]
    local state = states[key]
    if not state then
      state = claim.rule.kind.load(KEYS[key], claim.rule)
      states[key] = state
    end
    claim.state = state
    claims[i] = claim
    now = max(now, state.clock)
  end
  return offset
end

-- Finds out what each limit says. Returns whether the arrival may be charged, the instant it is
-- charged at, and whether it was admitted or refused before.
local function judge(count, notBefore)
  local metAt, wasRefused, patient, at = false, false, true, max(now, notBefore)
  for i = 1, count do
    local claim = claims[i]
    local state, rule = claim.state, claim.rule
    local kind = rule.kind
    kind.look(state, rule)
    claim.met = not anonymous and kind.met(state, rule)
    claim.conformsAt = cost > rule.capacity and NEVER or kind.conformsAt(state, rule, claim)
    claim.patient = claim.conformsAt >= 0 and claim.conformsAt - now <= rule.patience
    if not rule.shadow then
      local met = claim.met
      if met and met >= 0 then metAt = metAt or met elseif met then wasRefused = true end
      if claim.patient then at = max(at, claim.conformsAt) else patient = false end
    end
  end
  if metAt then return true, max(metAt, now, notBefore), true, wasRefused end
  return patient and not wasRefused, at, false, wasRefused
end

local numbers = {}
local formats = {} -- of so many numbers

local function answer(admitted, at, count)
  numbers[1], numbers[2], numbers[3], numbers[4] = admitted and 1 or 0, given, now, at
  local n = 4
  for i = 1, count do
    local claim = claims[i]
    numbers[n + 1], numbers[n + 2] = claim.conformsAt, claim.met or NOT_MET
    n = claim.rule.kind.facts(claim.state, claim.rule, numbers, n + 2)
  end
  local numbersFormat = formats[n]
  if not numbersFormat then
    numbersFormat = '<' .. string.rep('d', n)
    formats[n] = numbersFormat
  end
  answers[#answers + 1] = pack(numbersFormat, spread(numbers, 1, n))
end

local function meter(count, notBefore, elsewhere)
  local admitted, at, wasAdmitted, wasRefused = judge(count, notBefore)
  if elsewhere == 1 then admitted = false end
  if not admitted then
    if not wasRefused then refuse(count) end
    at = now
  elseif not wasAdmitted then
    admit(count, at)
  end
  answer(admitted, at, count)
end

-- What the arrival is judged by: the rules of its claims, in few characters.
local function rulesOf(count)
  if count == 1 then return claims[1].rule.digest end
  local digests = {}
  for i = 1, count do digests[i] = claims[i].rule.digest end
  return concat(digests)
end

-- Not if limits elsewhere say something else than then: the answer was given with regard to them.
local function answerAgain(old, elsewhere, notBefore)
  local before, answer = old.list[old.at + 4], old.list[old.at + 5]
  if before ~= elsewhere then return false end
  local admitted, _, _, at = unpack('<dddd', answer)
  if admitted == 1 and at < notBefore then return false end
  answers[#answers + 1] = answer
  return true
end

local offset, size = 1, #ARGV[3]
while offset <= size do
  local notBefore, flags, nameAt, sequence, position, count
  given, since, notBefore, cost, flags, nameAt, hash, sequence, position, count, offset =
    unpack('<ddddddc8ddd', ARGV[3], offset)
  name, anonymous, now = ARGV[nameAt], flags >= 2, given
  local elsewhere = flags % 2
  offset = readClaims(count, offset)
  if sequence == 0 then
    meter(count, notBefore, elsewhere)
  else
    local journal, judgedBy = journalOf(sequence), rulesOf(count)
    local old = recall(journal, position, judgedBy)
    if not old or not answerAgain(old, elsewhere, notBefore) then
      meter(count, notBefore, elsewhere)
      note(journal, position, judgedBy, elsewhere, answers[#answers])
    end
  end
end

for state, kind in pairs(unsaved) do kind.save(state) end
for _, journal in pairs(journals) do saveJournal(journal) end

return { concat(answers) }
