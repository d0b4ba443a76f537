-- Sliding window log: io.sluice.limiter.WindowLog. The key is a sorted set. An arrival is a member, '\7' and its
-- identity, whose score is the arrival's instant. Further members have scores that no instant has:
--   -1 - instant   '\3', cost - 1 in 4 bytes, member: mark of an entry at that instant that costs more than 1
--   -1 - instant   '\5', identity: mark of an entry that was admitted, and then dropped because it influences
--                  no decision
--   -1 - instant   '\6', event: mark of the latest entry of a record that claims to be this event
--   MEMO           '\0', clock, newest entry, sum of cost - 1 in doubles, and the end of the bucket's block if
--                  it has one. This member, the memo, exists only while the bucket is blocked, or while an
--                  entry costs more than 1 or is later than the clock; without a memo, the clock is the instant
--                  of the newest entry
-- A member that begins with '\1' is an attempt that was refused.

local MEMO = '9007199254740991'
local LAST = '9007199254740990'
local BLOCKED_MEMO = 33
local BATCH = 100
local RING = 256

local log = { reserves = true }

function log.load(key, rule)
  local state = {
    key = key, fresh = false, anew = false, clock = 0, newest = -1, extra = 0, memo = false,
    expired = -1, ttl = 0, cutoff = -1, live = '0', count = 0, extraIn = 0, marks = 0, used = 0,
    blocked = 0,
  }
  local top = call('ZREVRANGE', key, '0', '0', 'WITHSCORES')
  state.fresh = #top == 0
  if state.fresh then return state end
  if byte(top[1]) == 0 then
    state.memo = top[1]
    state.clock, state.newest, state.extra = unpack('<ddd', top[1], 2)
    if rule.blocks and #top[1] == BLOCKED_MEMO then state.blocked = unpack('<d', top[1], 26) end
  else
    state.newest = tonumber(top[2])
    state.clock = state.newest
  end
  requireExact(state.clock, state.newest, state.extra, state.blocked)
  return state
end

local function extraOf(member)
  return byte(member) == 3 and unpack('<I4', member, 2) or 0
end

-- Returns the sum of cost - 1 of the entries up to the cutoff, and the number of marks of entries after the
-- cutoff.
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

-- Finds the entries in the window that ends now. An entry exactly one period old has left the window, and
-- entries that had left it before stay out.
function log.look(state, rule)
  local cutoff = max(rule.gone, now - rule.period, state.expired)
  state.cutoff = cutoff
  state.live = int(cutoff + 1)
  if state.anew then
    state.count, state.extraIn, state.marks, state.used = 0, 0, 0, 0
    return
  end
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
  if state.newest <= cutoff or state.anew then return false end
  if not claimed and not rule.counts then
    local at = instantOf(call('ZSCORE', state.key, '\7' .. identity), cutoff)
    return at, at and SAME_RECORD
  end
  local scores = call('ZMSCORE', state.key, '\7' .. identity, '\5' .. identity, '\6' .. event)
  local at = instantOf(scores[1], cutoff) or instantOf(scores[2], cutoff)
  if at then return at, SAME_RECORD end
  at = claimed and instantOf(scores[3], cutoff)
  return at, at and SAME_EVENT
end

-- Returns the instant of the i-th entry in the window, counted from the oldest.
local function instant(state, i)
  local fromNewest = int(state.count - i + (state.memo and 1 or 0))
  return tonumber(call('ZREVRANGE', state.key, fromNewest, fromNewest, 'WITHSCORES')[2])
end

local function countTo(state, at)
  return call('ZCOUNT', state.key, state.live, int(at))
end

-- Finds the earliest mark, in a batch of marks with the latest first, at whose instant the costs of the
-- entries reach `needed` permits. Returns the mark's instant, and the sum of cost - 1 of the entries before
-- the mark.
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

-- Returns the instant of the entry at which the cost of the entries, summed up from the oldest, reaches this
-- many permits.
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

-- Drops entries that influence no decision. Refused attempts are unlimited, but while newer entries alone
-- exceed the permits, an older entry influences no decision; such entries are dropped once the log has RING
-- entries. A dropped entry that was admitted is still recognised by its mark. The order of entries at the
-- same instant is unknown, so they are dropped together, or when the log has far too many of them.
local function dropWhatCannotMatter(state, rule)
  local permits = mostPermits(rule, state.cutoff)
  local excess = state.used + cost - permits
  if excess <= 1 or state.count < RING then return end
  local key, dispensable = state.key, freedAt(state, min(excess, state.used))
  for _ = 1, 16 do
    local oldest = call('ZRANGEBYSCORE', key, state.live, LAST, 'WITHSCORES', 'LIMIT', '0', '1')
    local member, at, extra = oldest[1], tonumber(oldest[2]), 0
    if at >= dispensable and excess <= permits + RING then return end
    local mark = int(-1 - at)
    if state.extraIn > 0 then
      local costly = call('ZRANGEBYSCORE', key, mark, mark, 'LIMIT', '0', '1')[1]
      extra = costly and extraOf(costly) or 0
      if excess - 1 - extra <= 0 then return end
      if extra > 0 then
        call('ZREM', key, costly)
        member = sub(costly, 6) -- any entry at the same instant can be dropped instead
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

-- Removes expired entries and their marks. This is done at each charge if entries cost more than 1 or the
-- rule counts attempts; otherwise once at the end of the script, because expired entries do no harm until
-- then.
local function dropExpired(state)
  call('ZREMRANGEBYSCORE', state.key, int(-1 - state.expired), int(state.expired))
end

local function memoOf(state, clock, newest, extra)
  local memo = '\0' .. pack('<ddd', clock, newest, extra)
  return state.blocked == 0 and memo or memo .. pack('<d', state.blocked)
end

-- Writes the end of the bucket's block into the memo.
function log.block(state)
  local memo = memoOf(state, state.clock, state.newest, state.extra)
  call('ZADD', state.key, MEMO, memo)
  if state.memo and state.memo ~= memo then call('ZREM', state.key, state.memo) end
  state.memo = memo
end

function log.neededUntil(state, rule)
  return leavesAt(rule, state.newest)
end

-- Resets the log, including its latest reserved slot: if the rule reserves slots, the charge that follows the
-- reset is not before that slot.
local function beginAnew(state)
  call('DEL', state.key)
  state.newest, state.extra, state.memo, state.anew = -1, 0, false, false
end

function log.charge(state, rule, bucket, at, refused)
  if state.anew then beginAnew(state) end
  if rule.counts then dropWhatCannotMatter(state, rule) end
  local key, memo = state.key, false
  local member = refused and attemptName() or '\7' .. identity
  local extra = state.extraIn + cost - 1
  local clock, newest = max(state.clock, now), max(state.newest, at)
  if extra > 0 or newest ~= clock or state.blocked > 0 then memo = memoOf(state, clock, newest, extra) end
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
  state.ttl = ttlMillis(leavesAt(rule, newest))
  state.fresh = false
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
  local isEmpty = state.newest <= state.cutoff or state.anew
  numbers[n + 2] = isEmpty and 0 or state.newest + rule.period
  return n + 2
end
