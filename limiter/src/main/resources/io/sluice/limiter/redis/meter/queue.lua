-- Releases of one queue, which is the waiting events of one partition: see io.sluice.limiter.redis.Releases. The
-- heads of the queue's lines are metered in order, with these rules in addition to those of the kernel:
--   * Behind a refused head, no head of the same or a lower class (a class is a rank, 0 is the highest) that has a
--     refusing queue bucket in common is metered.
--   * A refused head leaves an entry beside a bucket that several queues share. A release of another queue is
--     behind an entry of a higher class, or of the same class that has waited for longer, but only for slots that
--     the entry's queue can still use. So queues take turns, and no slot is lost while they do.
--   * A release that was admitted is known until its number is committed, so that it is not charged again.
--   * Only the latest owner of a queue may release.
-- The queue's key holds the epochs of its owners, the latest first. For each epoch there is a sorted set with the
-- identities of the admitted releases and their numbers. The key of a bucket's waiting queues holds WAITING_FIELDS
-- values for each entry; both lists are in MessagePack.

local KEPT_MILLIS = 3600000
local MOST_OWNERS = 8
local MOST_UNCOMMITTED = 100000

-- Time for which an entry counts after the instant at which its queue was to ask again. A queue whose instance
-- has ended stops the others for this time.
local VALID_MICROS = 2000000
-- Longest time between two questions of a queue at a bucket: its head may have left for another reason, so an
-- entry does not count for longer than that, even if the bucket opens much later.
local RENEWED_MICROS = 5000000
-- Time by which the questions of a queue are unpunctual, and after which a release that is behind asks again.
local SHORT_MICROS = 10000

-- Returns the instant until which an entry counts.
local function validUntil(entry)
  return min(max(entry.asked, entry.opens), entry.asked + RENEWED_MICROS) + VALID_MICROS
end

local WAITING_FIELDS = 7

local turns, queue = ARGV[10], ARGV[11]
local epoch, committed, ownersIndex, begins, nextTurn = unpack('<dddd', turns)
local ownersKey = KEYS[ownersIndex]

local function readOwners()
  local value = call('GET', ownersKey)
  local owners = value and cmsgpack.unpack(value) or {}
  requireExact(spread(owners))
  return owners
end

-- Returns the epochs of the queue's owners. A value that cannot be read is deleted, because no event of the queue
-- could be released with it.
local function ownersOfQueue()
  local ok, owners = pcall(readOwners)
  if ok then return owners end
  if not isOfOneKey(textOf(owners)) then error(owners, 0) end
  call('DEL', ownersKey)
  return {}
end

local owners = ownersOfQueue()
if begins == 1 then epoch = max((owners[1] or 0) + 1, (unpack('<d', arrivals))) end
if (owners[1] or 0) > epoch then
  local fenced = pack('<d', FENCED)
  while offset <= size do
    answers[#answers + 1] = fenced
    offset = offset + HEADER_BYTES + BUCKET_BYTES * unpack('<d', arrivals, offset + HEADER_BYTES - 8)
  end
  return { concat(answers) }
end
if owners[1] ~= epoch then
  table.insert(owners, 1, epoch)
  owners[MOST_OWNERS + 1] = nil
  call('SET', ownersKey, cmsgpack.pack(owners), 'PX', int(KEPT_MILLIS + graceMillis))
else
  call('PEXPIRE', ownersKey, int(KEPT_MILLIS + graceMillis))
end
if begins == 1 then return { pack('<dd', BEGUN, epoch) } end

-- Returns the key of the releases that an owner's epoch has admitted.
local function releasedKey(itsEpoch)
  return ownersKey .. ':' .. int(itsEpoch)
end

local releasedBy = {} -- keys of the releases of earlier owners
for i = 2, #owners do releasedBy[#releasedBy + 1] = releasedKey(owners[i]) end

local releases = releasedKey(epoch)
local added = {} -- scores and members for the sorted set of the releases
local latestNumber = committed

local function scoreOf(key)
  local ok, score = pcall(call, 'ZSCORE', key, identity)
  if ok then return score end
  if not isOfOneKey(textOf(score)) then error(score, 0) end
  call('DEL', key)
  return false
end

-- Whether the release was admitted before, but may not be committed.
local function isReleased()
  if anonymous then return false end
  if scoreOf(releases) then return true end
  for _, key in ipairs(releasedBy) do
    if scoreOf(key) then return true end
  end
  return false
end

local function readTurn()
  local turn = { number = 0, rank = 0, since = 0, kinds = {}, admitted = false, refusedAt = {} }
  turn.number, turn.rank, turn.since, nextTurn = unpack('<ddd', turns, nextTurn)
  local count = unpack('<d', arrivals, offset + HEADER_BYTES - 8)
  for i = 1, count do
    local queues, waiting, closed
    queues, waiting, closed, nextTurn = unpack('<ddd', turns, nextTurn)
    turn.kinds[i] = { queues = queues == 1, waiting = waiting, closed = closed }
  end
  return turn
end

local turn = false -- of the release that is being metered
local closed = {} -- rank of the highest class with a refused head, by the index of a bucket's key

local function closedAt(bucket, i)
  local own, before = closed[bucket.key], turn.kinds[i].closed
  if before < 0 then return own end
  return own and min(own, before) or before
end

-- Whether an earlier head of the same or a higher class waits at one of the release's buckets.
local function isBehindOwn(buckets, count)
  for i = 1, count do
    local rank = turn.kinds[i].queues and closedAt(buckets[i], i)
    if rank and rank <= turn.rank then return true end
  end
  return false
end

local waitingQueues = {} -- by the index of their key: the entries by the name of their queue

local function readWaiting(index)
  local value = call('GET', KEYS[index])
  local list, entries = value and cmsgpack.unpack(value) or {}, {}
  for at = 1, #list, WAITING_FIELDS do
    local entry = {
      name = list[at], rank = list[at + 1], since = list[at + 2], asked = list[at + 3], opens = list[at + 4],
      permits = list[at + 5], period = list[at + 6],
    }
    requireExact(entry.rank, entry.since, entry.asked, entry.opens, entry.permits, entry.period)
    if latest < validUntil(entry) then entries[entry.name] = entry end
  end
  return entries
end

-- Returns the fresh entries beside a bucket. A value that cannot be read counts as none, and is written anew.
local function waitingAt(index)
  local waiting = waitingQueues[index]
  if not waiting then
    local ok, entries = pcall(readWaiting, index)
    waiting = { entries = ok and entries or {}, before = not ok or next(entries), mine = false, asked = false }
    waitingQueues[index] = waiting
  end
  return waiting
end

local function isAhead(entry)
  if entry.rank ~= turn.rank then return entry.rank < turn.rank end
  if entry.since ~= turn.since then return entry.since < turn.since end
  return entry.name < queue
end

-- Returns the instant until which an entry holds the release back from a bucket's slot; 0 if it does not. Until it
-- asks, the entry's queue can use the slots that open for it, and those after its last question.
local function heldUntil(entry, bucket)
  if entry.name == queue or not isAhead(entry) then return 0 end
  if entry.permits ~= bucket.rule.permits or entry.period ~= bucket.rule.period then return 0 end
  local slot = bucket.conformsAt
  if slot < entry.opens then return max(entry.opens, latest + 1) end
  return slot >= entry.asked + SHORT_MICROS and latest + SHORT_MICROS or 0
end

-- Whether the bucket's limit can hold the release back: it is enforced, and has not charged the release before.
local function counts(bucket)
  return not bucket.rule.shadow and bucket.prior ~= 1
end

-- Returns the instant until which the release is behind other queues and the number of the bucket at which it is;
-- 0 and 0 if it is not.
local function behindOthers(buckets, count)
  local untilMicros, at = 0, 0
  for i = 1, count do
    local index = turn.kinds[i].waiting
    if index > 0 and counts(buckets[i]) then
      for _, entry in pairs(waitingAt(index).entries) do
        local held = heldUntil(entry, buckets[i])
        if held > untilMicros then untilMicros, at = held, i end
      end
    end
  end
  return untilMicros, at
end

local function close(bucket)
  closed[bucket.key] = min(closed[bucket.key] or turn.rank, turn.rank)
end

-- Notes that the release waits at a bucket, with the instant at which the bucket opens for it.
local function waitAt(bucket, i, opens)
  close(bucket)
  local index = turn.kinds[i].waiting
  if index == 0 then return end
  local waiting = waitingAt(index)
  waiting.asked = true
  local mine = waiting.mine
  if mine and (mine.rank < turn.rank or mine.rank == turn.rank and mine.since <= turn.since) then return end
  waiting.mine = {
    name = queue, rank = turn.rank, since = turn.since, asked = latest, opens = opens,
    permits = bucket.rule.permits, period = bucket.rule.period,
  }
end

-- Returns the instant at which a refusing bucket opens for the release; infinity if it is unknown.
local function opensAt(bucket)
  if bucket.blocked then return bucket.state.blocked end
  return bucket.conformsAt < 0 and math.huge or bucket.conformsAt
end

-- Closes the buckets that refuse the release. It leaves an entry only at those that open last, because its queue
-- asks again when all of them are open; and none if other limits refuse it, because it may never ask again.
local function noteRefusal(buckets, count, flags)
  local last, mayLeave = 0, has(flags, REFUSED_ELSEWHERE)
  for i = 1, count do
    local bucket = buckets[i]
    if counts(bucket) and not bucket.patient then
      last = max(last, opensAt(bucket))
      if not turn.kinds[i].queues or bucket.conformsAt == NEVER then mayLeave = true end
    end
  end
  for i = 1, count do
    local bucket = buckets[i]
    if turn.kinds[i].queues and counts(bucket) and not bucket.patient and bucket.conformsAt ~= NEVER then
      local opens = opensAt(bucket)
      if mayLeave or opens < last then
        close(bucket)
      else
        waitAt(bucket, i, opens < math.huge and opens or latest)
      end
    end
  end
end

-- Decides whether a release that was judged may be metered. Returns whether it is answered, and the kind of its
-- answer if it was admitted before. Notes of an admitted release are kept until it is charged.
local function gate(kind, buckets, count, flags)
  if isReleased() then
    turn.admitted = true
    return false, has(flags, REFUSED_ELSEWHERE) and REFUSED or ADMITTED
  end
  if kind == DUPLICATE then return false end
  if isBehindOwn(buckets, count) then
    answers[#answers + 1] = pack('<ddd', BEHIND, 0, 0)
    return true
  end
  if kind == REFUSED then
    noteRefusal(buckets, count, flags)
    return false
  end
  local untilMicros, at = behindOthers(buckets, count)
  if at == 0 then
    turn.admitted = true
    return false
  end
  waitAt(buckets[at], at, buckets[at].conformsAt)
  answers[#answers + 1] = pack('<ddd', BEHIND, untilMicros, at)
  return true
end

local meterAt, save, lacking = kernel(gate)

-- Notes a release that was admitted, now or before: its number, and that it no longer waits at its buckets.
local function noteRelease()
  if not anonymous then
    added[#added + 1], added[#added + 2] = int(turn.number), identity
  end
  latestNumber = max(latestNumber, turn.number)
  for _, kind in ipairs(turn.kinds) do
    if kind.waiting > 0 then waitingAt(kind.waiting).asked = true end
  end
end

local function meterRest()
  while enough and offset <= size do
    turn = readTurn()
    offset, enough = meterAt(offset)
    if enough and turn.admitted then noteRelease() end
  end
end

passingOver(meterRest)

-- Writes the entries beside a bucket: the other queues' fresh entries, and the new entry of this queue. An entry
-- stays as it was if no release was refused or admitted at the bucket.
local function saveWaiting(index, waiting)
  if not waiting.asked then return end
  waiting.entries[queue] = waiting.mine or nil
  local list, lasts = {}, 0
  for _, each in pairs(waiting.entries) do
    local n = #list
    list[n + 1], list[n + 2], list[n + 3], list[n + 4] = each.name, each.rank, each.since, each.asked
    list[n + 5], list[n + 6], list[n + 7] = each.opens, each.permits, each.period
    lasts = max(lasts, validUntil(each))
  end
  if lasts > 0 then
    call('SET', KEYS[index], cmsgpack.pack(list), 'PX', int(ceil((lasts - latest) / 1000) + 1))
  elseif waiting.before then
    call('DEL', KEYS[index])
  end
end

local function saveReleases()
  for first = 1, #added, 1000 do
    call('ZADD', releases, spread(added, first, min(#added, first + 999)))
  end
  call('ZREMRANGEBYSCORE', releases, '-inf', int(max(committed, latestNumber - MOST_UNCOMMITTED)))
  if #added == 0 then return end
  call('PEXPIRE', releases, int(KEPT_MILLIS + graceMillis))
end

saveReleases()
save()
for index, waiting in pairs(waitingQueues) do saveWaiting(index, waiting) end
if lacking() then answers[#answers + 1] = lacking() end
return { concat(answers), spread(problems) }
