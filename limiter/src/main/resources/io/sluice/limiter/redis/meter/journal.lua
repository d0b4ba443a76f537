-- Journals: the answers to the last arrivals of a sequence, such as a topic's partition. An arrival comes
-- again if its answer was lost, or its caller has failed; it then gets the same answer, however the state has
-- changed since. Its id is not enough for this: it is remembered only if it was charged, and only for a time.
-- The key is a list. An entry is the last position in it, a colon, and in MessagePack, for each arrival:
-- position, identity, digest of its rules, result of limits elsewhere, answer. It is not a stream, because
-- Redis reserves 4 KiB for each stream, and on a Cluster there is a journal for each slot.

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

-- Returns the last position in an entry.
local function endOf(entry)
  return tonumber(match(entry, '^(%d+):'))
end

local function take(journal, packed, last)
  local list = cmsgpack.unpack(packed)
  for at = 1, #list, 5 do journal.old[list[at]] = { list = list, at = at } end
  journal.known = last
end

-- Returns the key of the stream that is the journal of release 0.2.0. It is read as long as it exists, and
-- never written.
local function streamOf(journal)
  return gsub(journal.key, '::journal3:', '::journal2:', 1)
end

local function readStream(journal, position)
  local entry = call('XRANGE', streamOf(journal), int(position), '+', 'COUNT', '1')[1]
  if entry then take(journal, entry[2][2], tonumber(match(entry[1], '^%d+'))) end
  return entry and true or false
end

-- Returns the index of the first entry that ends at or after a position, by binary search.
local function indexOf(journal, position)
  local low, high = 0, call('LLEN', journal.key)
  while low < high do
    local middle = floor((low + high) / 2)
    if endOf(call('LINDEX', journal.key, int(middle))) < position then low = middle + 1 else high = middle end
  end
  return low
end

-- Reads the entry that holds this position; returns whether there is one.
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

-- An anonymous arrival has another identity each time, so it is noted without one.
local function nameOf()
  return anonymous and '' or identity
end

-- Reads entries until the one with this position is read, or there is none. A journal that cannot be read is
-- deleted: it belongs to all arrivals of the sequence, and none could be metered with it. So a redelivery may
-- be charged once more.
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

-- Returns the earlier answer to the arrival at this position, if there is one. If another arrival had this
-- position, the sequence has begun again, and the journal is deleted. If it was the same arrival by other
-- rules, because a change came late, the answers to the others stay valid.
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

-- Notes an answer. Positions that have been passed over are not noted any more.
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
  call('RPUSH', journal.key, int(journal.last) .. ':' .. cmsgpack.pack(journal.added))
  while endOf(call('LINDEX', journal.key, '0')) < journal.last - KEPT do call('LPOP', journal.key) end
  call('PEXPIRE', journal.key, int(KEPT_MILLIS + graceMillis))
end
