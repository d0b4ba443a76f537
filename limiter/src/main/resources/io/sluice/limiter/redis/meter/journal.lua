-- Journals: the answers to the last arrivals of a sequence, such as a topic's partition. An arrival comes
-- again if its answer was lost, or if its caller has failed. It then gets the same answer, however the state
-- of its keys has changed since. Its event id is not enough for this, because an id is remembered only if the
-- arrival was charged, and only for a time. The Redis key of a journal is a list. An entry of the list is the
-- position of its last arrival, a colon, and in MessagePack for each arrival: its position, its identity, a
-- digest of its rules, the result of its limits in another backend, its answer. It is not a stream, because
-- Redis reserves 4 KiB for each stream, and a Cluster has a journal for each slot.

local KEPT_MILLIS = 300000

local journals = {}

local function journalOf(index)
  local journal = journals[index]
  if not journal then
    journal = { key = KEYS[index], known = 0, ended = false, old = {}, added = {}, last = 0, keptFrom = 0 }
    journals[index] = journal
  end
  return journal
end

-- Returns the position of the last arrival in a journal's entry.
local function endOf(entry)
  return tonumber(match(entry, '^(%d+):'))
end

local function take(journal, packed, last)
  local list = cmsgpack.unpack(packed)
  for at = 1, #list, 5 do journal.old[list[at]] = { list = list, at = at } end
  journal.known = last
end

-- Returns the Redis key of the stream that is the journal of release 0.2.0. The stream is read as long as it
-- exists, and never written.
local function streamOf(journal)
  return gsub(journal.key, '::journal3:', '::journal2:', 1)
end

local function readStream(journal, position)
  local entry = call('XRANGE', streamOf(journal), int(position), '+', 'COUNT', '1')[1]
  if entry then take(journal, entry[2][2], tonumber(match(entry[1], '^%d+'))) end
  return entry and true or false
end

-- Returns the index of a journal's first entry whose last position is at or after this position, by binary
-- search.
local function indexOf(journal, position)
  local low, high = 0, call('LLEN', journal.key)
  while low < high do
    local middle = floor((low + high) / 2)
    if endOf(call('LINDEX', journal.key, int(middle))) < position then low = middle + 1 else high = middle end
  end
  return low
end

-- Reads the journal's entry that can contain this position; returns whether there is one.
local function readEntry(journal, position)
  local last = call('LINDEX', journal.key, '-1')
  if last and endOf(last) < position then return false end
  local index = last and indexOf(journal, position) or 0
  if index == 0 and readStream(journal, position) then return true end
  local entry = last and call('LINDEX', journal.key, int(index))
  if not entry then return false end
  take(journal, sub(entry, find(entry, ':', 1, true) + 1), endOf(entry))
  return true
end

local function startOver(journal)
  call('DEL', journal.key, streamOf(journal))
  journal.known, journal.ended, journal.old = 0, true, {}
end

-- Returns the identity by which the arrival is noted in a journal: empty for an anonymous arrival, which gets
-- another identity each time.
local function nameOf()
  return anonymous and '' or identity
end

-- Reads a journal's entries until the entry with this position is read, or none is left. A journal that
-- cannot be read is deleted: it belongs to all arrivals of the sequence, and none of them could be metered
-- with it. As a consequence, a redelivered arrival may be charged once more.
local function seek(journal, position)
  while not journal.ended and journal.known < position do
    local ok, found = pcall(readEntry, journal, position)
    if not ok then
      if not isOfOneKey(textOf(found)) then error(found, 0) end
      startOver(journal)
    elseif not found then
      journal.ended = true
    end
  end
end

-- Returns the earlier answer to the arrival at this position; nil if there is none. If another arrival had
-- this position, the sequence has begun again, and the journal is deleted. If the same arrival was judged by
-- other rules, because a change came late, the answers to the other arrivals stay valid.
local function recall(journal, position, judgedBy)
  seek(journal, position)
  local old = journal.old[position]
  if not old then return nil end
  local list, at = old.list, old.at
  local same = list[at + 1] == nameOf()
  if same and list[at + 2] == judgedBy then return old end
  if same and not anonymous then return nil end
  startOver(journal)
  return nil
end

-- Notes the answer to an arrival in a journal, and from which position on answers are needed. Positions before
-- one that is already noted are not noted any more.
local function note(journal, position, keptFrom, judgedBy, elsewhere, answer)
  if position <= journal.known or position <= journal.last then return end
  local added = journal.added
  local n = #added
  added[n + 1], added[n + 2], added[n + 3] = position, nameOf(), judgedBy
  added[n + 4], added[n + 5] = elsewhere, answer
  journal.last, journal.keptFrom = position, keptFrom
end

local function saveJournal(journal)
  if #journal.added == 0 then return end
  call('RPUSH', journal.key, int(journal.last) .. ':' .. cmsgpack.pack(journal.added))
  while endOf(call('LINDEX', journal.key, '0')) < journal.keptFrom do call('LPOP', journal.key) end
  call('PEXPIRE', journal.key, int(KEPT_MILLIS + graceMillis))
end
