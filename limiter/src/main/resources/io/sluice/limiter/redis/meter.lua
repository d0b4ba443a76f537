-- Meters arrivals in order, each against all of its claims: charged to every limit or to none, as
-- io.sluice.limiter.Metering does. Runs on Redis 6.2 and later.
--
-- KEYS     one per limit and limit key, and per sequence that arrivals come from; in a pipeline, then
--          the key of its last call
-- ARGV[1]  the grace that every key is kept beyond its need, in milliseconds
-- ARGV[2]  the rules: for each, doubles: kind, period, permits, capacity, patience,
--          counts attempts, shadow, tolerance's whole micros and fraction (GCRA)
-- ARGV[3]  the arrivals: for each, doubles: the instant at which it comes, its slot elsewhere (0 for
--          none), cost, flags (see there), then 8 bytes of its event's hash, then doubles: its
--          record's hash, its sequence's key (0 for none) and its position there from 1 on, the
--          number of its claims, and for each claim: rule, key, whole micros and fraction of the
--          cost's span (GCRA)
-- ARGV[4]  in a pipeline, the call that must be its last, or nothing runs; empty if any may be
-- ARGV[5]  in a pipeline, this call, if another may be sent before it is answered; or empty
-- ARGV[6]  a name that no other call has
--
-- Reply    one string of doubles: for each arrival: 0 admitted, 1 refused or 2 a duplicate; its slot, or
--          0; for each claim of it: the instant at which its bucket was judged; when it conforms, or
--          NEVER, or LATER if that follows from the state; when it was charged before, or NOT_MET; and
--          what of the state a decision needs, see `facts` of each kind
--
-- Every time is epoch microseconds. All numbers are integers below 2^53 and so exact. They go to Redis
-- through `int`, never through `..` or tostring, which round to 14 digits; Redis itself would print
-- them as doubles, which takes as long as a command. A string of n bytes costs n steps to make, because
-- Lua hashes all of it, so what is long is cut and joined once.

local NEVER = -1
local LATER = -2
local NOT_MET = -1

local call = redis.call
local spread = unpack
local pack, unpack = struct.pack, struct.unpack
local concat = table.concat
local max, min, floor, ceil = math.max, math.min, math.floor, math.ceil
local byte, sub, find, match, format =
  string.byte, string.sub, string.find, string.match, string.format

-- Flags of an arrival.
local REFUSED_ELSEWHERE, ANONYMOUS, CLAIMED, MAY_BE_DUPLICATE, ENFORCED_ELSEWHERE = 1, 2, 4, 8, 16

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
local now, given, cost, event, identity, anonymous, claimed

local function ttlMillis(untilMicros)
  return ceil(max(0, untilMicros - given) / 1000) + 1 + graceMillis
end

------------------------------------------------------------------------------------------------
-- Remembered identities: beside states too small to hold them, the last 4 that were admitted, 20 bytes
-- each: identity, and the instant charged at (io.sluice.limiter.LastAdmitted).
--
-- What a bucket remembers of an identity is an instant, and whether that is of the same record, or of
-- another one that claims to be the same event.

local SAME, CLAIM = 1, 2
local MOST, ENTRY = 4, 20
local HEAD = 32

local function priorInRing(state, rule)
  local value = state.ring
  if value == '' or not find(value, event, 1, true) then return false end
  local after, prior, what = now - rule.period, false, false
  for first = 1, #value, ENTRY do
    if sub(value, first, first + 7) == event then
      local at = unpack('<d', value, first + 12)
      if at > after then
        if sub(value, first, first + 11) == identity then return at, SAME end
        if not prior or at > prior then prior, what = at, CLAIM end
      end
    end
  end
  return prior, what
end

local function remember(state, at)
  if anonymous then return end
  local ring = state.ring .. identity .. pack('<d', at)
  state.ring = #ring > MOST * ENTRY and sub(ring, -MOST * ENTRY) or ring
end

-- The latest instant that is remembered, or -1.
local function newestInRing(state)
  local newest = -1
  for first = 13, #state.ring, ENTRY do newest = max(newest, (unpack('<d', state.ring, first))) end
  return newest
end

-- A state is its clock and three numbers, and a ring, in one string. It is written once, when the
-- script ends. Its table has all its fields from the first, or it is made twice.
local function readString(key)
  local value = call('GET', key)
  if not value then return '', 0, 0, 0, 0 end
  return sub(value, HEAD + 1), unpack('<dddd', value)
end

local function saveString(state, first, second, third)
  local head = pack('<dddd', state.clock, first, second, third)
  call('SET', state.key, head .. state.ring, 'PX', int(state.ttl))
end

------------------------------------------------------------------------------------------------
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

------------------------------------------------------------------------------------------------
-- Sliding window counter: io.sluice.limiter.WindowCounter. The key's value: clock, the running
-- period's start, the last period's count, the running one's.

local counter = { prior = priorInRing }

function counter.load(key)
  local ring, clock, start, last, running = readString(key)
  return {
    key = key, ring = ring, clock = clock, ttl = 0,
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
  state.clock = max(state.clock, now)
  state.stored = { state.start, state.last, state.running }
  if not refused then remember(state, at) end
  state.ttl = ttlMillis(max(state.start + 2 * rule.period, newestInRing(state) + rule.period))
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
-- with the instant as score: '\7', identity. What else there is to know has scores that no instant has:
--   -1 - instant   '\3', cost - 1 in 4 bytes, member: an entry at that instant costs more than 1
--   -1 - instant   '\5', identity: an entry that was admitted and then dropped as it cannot matter
--   -1 - instant   '\6', event: the latest entry of a record that claims to be this event
--   MEMO           '\0', clock, newest entry, sum of cost - 1 in doubles: there only while some
--                  entry costs more than 1 or lies ahead of the clock; without it the clock is the
--                  newest entry
-- A member that begins with '\1' is an attempt that was refused.

local MEMO = '9007199254740991'
local LAST = '9007199254740990'
local BATCH = 100
local RING = 256

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

local attempts = 0

local function attemptName()
  attempts = attempts + 1
  return '\1' .. ARGV[6] .. pack('<I4', attempts)
end

local function instantOf(score, cutoff)
  if not score then return false end
  local at = tonumber(score)
  if at < 0 then at = -1 - at end
  return at > cutoff and at
end

function log.prior(state, rule)
  local cutoff = state.cutoff
  if state.newest <= cutoff then return false end
  if not claimed and not rule.counts then
    local at = instantOf(call('ZSCORE', state.key, '\7' .. identity), cutoff)
    return at, at and SAME
  end
  local scores = call('ZMSCORE', state.key, '\7' .. identity, '\5' .. identity, '\6' .. event)
  local at = instantOf(scores[1], cutoff) or instantOf(scores[2], cutoff)
  if at then return at, SAME end
  at = claimed and instantOf(scores[3], cutoff)
  return at, at and CLAIM
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
    if byte(member) ~= 1 then call('ZADD', key, mark, '\5' .. sub(member, 2)) end
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
  local member = refused and attemptName() or '\7' .. identity
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
  if claimed and not refused then call('ZADD', key, 'LT', int(-1 - at), '\6' .. event) end
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
-- MessagePack, for each arrival: position, identity, what it was judged by, what limits elsewhere said,
-- the answer.

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
  for at = 1, #list, 5 do journal.old[list[at]] = { list = list, at = at } end
  journal.known = tonumber(match(entry[1], '^%d+'))
end

-- Who is like no other has another identity each time.
local function nameOf()
  return anonymous and '' or identity
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
  if list[at + 1] == nameOf() and list[at + 2] == judgedBy then return old end
  call('DEL', journal.key)
  journal.known, journal.ended, journal.old = 0, true, {}
  return nil
end

-- Positions that have been passed over are not written down any more.
local function note(journal, position, judgedBy, elsewhere, answer)
  if position <= journal.known or position <= journal.last then return end
  local added = journal.added
  local n = #added
  added[n + 1], added[n + 2], added[n + 3] = position, nameOf(), judgedBy
  added[n + 4], added[n + 5] = elsewhere, answer
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
  now = claim.now
  rule.kind.charge(state, rule, claim, at, refused)
  unsaved[state] = rule.kind
end

local function countAttempt(claim)
  local rule = claim.rule
  if not rule.counts or claim.prior == SAME or claim.conformsAt == NEVER or cost == 0 then return end
  charge(claim, claim.now, true)
  claim.conformsAt = rule.kind.conformsAt(claim.state, rule, claim)
end

-- Charges the arrival to every limit, except where it was before; a limit that only watches never
-- delays the others.
local function admit(count, slot)
  if cost == 0 then return end
  for i = 1, count do
    local claim = claims[i]
    local at = max(claim.now, slot)
    if claim.rule.shadow and not claim.patient then
      countAttempt(claim)
    elseif claim.prior ~= SAME then
      charge(claim, claim.rule.shadow and max(at, claim.conformsAt) or at, false)
    end
  end
end

-- Reads the arrival's claims and their states.
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
  end
  return offset
end

local ADMITTED, REFUSES, DUPLICATE = 0, 1, 2

-- Finds out what each limit says, at the clock of its bucket if that is later than the arrival. Returns
-- what becomes of it and its slot, or 0.
local function judge(count, flags, slotElsewhere)
  local conforms = not has(flags, REFUSED_ELSEWHERE)
  local duplicate = claimed and has(flags, MAY_BE_DUPLICATE)
  local enforced, slot, slotBefore = has(flags, ENFORCED_ELSEWHERE), slotElsewhere, 0
  for i = 1, count do
    local claim = claims[i]
    local state, rule = claim.state, claim.rule
    local kind = rule.kind
    now = max(given, state.clock)
    claim.now = now
    kind.look(state, rule)
    claim.at, claim.prior = false, false
    if not anonymous then claim.at, claim.prior = kind.prior(state, rule) end
    claim.conformsAt = cost > rule.capacity and NEVER or kind.conformsAt(state, rule, claim)
    claim.patient = claim.conformsAt >= 0 and claim.conformsAt - now <= rule.patience
    if not rule.shadow then
      enforced = true
      local at = claim.conformsAt
      if claim.prior == SAME then
        at = claim.at
      elseif not claim.patient then
        conforms = false
      end
      if at > now then slot = max(slot, at) end
      if claim.prior ~= CLAIM then
        duplicate = false
      elseif claim.at > now then
        slotBefore = max(slotBefore, claim.at)
      end
    end
  end
  if duplicate and enforced then return DUPLICATE, slotBefore end
  if conforms then return ADMITTED, slot end
  return REFUSES, 0
end

local numbers = {}
local formats = {} -- of so many numbers

local function metAt(claim, kind)
  if claim.prior == SAME then return claim.at end
  return kind == DUPLICATE and claim.prior == CLAIM and claim.at or NOT_MET
end

local function answer(kind, slot, count)
  numbers[1], numbers[2] = kind, slot
  local n = 2
  for i = 1, count do
    local claim = claims[i]
    now = claim.now
    numbers[n + 1], numbers[n + 2], numbers[n + 3] = now, claim.conformsAt, metAt(claim, kind)
    n = claim.rule.kind.facts(claim.state, claim.rule, numbers, n + 3)
  end
  local numbersFormat = formats[n]
  if not numbersFormat then
    numbersFormat = '<' .. string.rep('d', n)
    formats[n] = numbersFormat
  end
  answers[#answers + 1] = pack(numbersFormat, spread(numbers, 1, n))
end

local function meter(count, flags, slotElsewhere)
  local kind, slot = judge(count, flags, slotElsewhere)
  if kind == ADMITTED then
    admit(count, slot)
  elseif kind == REFUSES then
    for i = 1, count do countAttempt(claims[i]) end
  end
  answer(kind, slot, count)
end

-- What the arrival is judged by: the rules of its claims, in few characters.
local function rulesOf(count)
  if count == 1 then return claims[1].rule.digest end
  local digests = {}
  for i = 1, count do digests[i] = claims[i].rule.digest end
  return concat(digests)
end

-- Not if limits elsewhere say something else than then: the answer was given with regard to them.
local function answerAgain(old, elsewhere, slotElsewhere)
  local before, answer = old.list[old.at + 3], old.list[old.at + 4]
  if before ~= elsewhere then return false end
  local kind, slot = unpack('<dd', answer)
  if kind == ADMITTED and slot < slotElsewhere then return false end
  answers[#answers + 1] = answer
  return true
end

local offset, size = 1, #ARGV[3]
while offset <= size do
  local slotElsewhere, flags, record, sequence, position, count
  given, slotElsewhere, cost, flags, event, record, sequence, position, count, offset =
    unpack('<ddddc8dddd', ARGV[3], offset)
  identity = event .. pack('<i4', record)
  anonymous, claimed = has(flags, ANONYMOUS), has(flags, CLAIMED)
  local elsewhere = flags % 2 + 2 * floor(flags / MAY_BE_DUPLICATE)
  offset = readClaims(count, offset)
  if sequence == 0 then
    meter(count, flags, slotElsewhere)
  else
    local journal, judgedBy = journalOf(sequence), rulesOf(count)
    local old = recall(journal, position, judgedBy)
    if not old or not answerAgain(old, elsewhere, slotElsewhere) then
      meter(count, flags, slotElsewhere)
      note(journal, position, judgedBy, elsewhere, answers[#answers])
    end
  end
end

for state, kind in pairs(unsaved) do kind.save(state) end
for _, journal in pairs(journals) do saveJournal(journal) end

return { concat(answers) }
