-- Journals: what the last arrivals of a sequence were answered, such as those of a topic's partition.
-- An arrival comes again if its answer was lost, or who had asked; then it is answered the same, however
-- the state has changed since. Its id alone would not do: it is remembered only if it was charged, and
-- for a time. The key is a list. An entry is the last position in it, a colon, and in MessagePack, for each
-- arrival: position, identity, what it was judged by, what limits elsewhere said, the answer. It is no stream,
-- because Redis reserves 4 KiB for each stream, and on a Cluster there is a journal for each slot.

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

-- The last position in an entry.
local function endOf(entry)
  return tonumber(match(entry, '^(%d+):'))
end

local function take(journal, packed, last)
  local list = cmsgpack.unpack(packed)
  for at = 1, #list, 5 do journal.old[list[at]] = { list = list, at = at } end
  journal.known = last
end

-- The stream in which 0.2.0 keeps a journal. It is read as long as it is there, and never written.
local function streamOf(journal)
  return gsub(journal.key, '::journal3:', '::journal2:', 1)
end

local function readStream(journal, position)
  local entry = call('XRANGE', streamOf(journal), int(position), '+', 'COUNT', '1')[1]
  if entry then take(journal, entry[2][2], tonumber(match(entry[1], '^%d+'))) end
  return entry and true or false
end

-- The index of the first entry that ends at or after a position, by halves.
local function indexOf(journal, position)
  local low, high = 0, call('LLEN', journal.key)
  while low < high do
    local middle = floor((low + high) / 2)
    if endOf(call('LINDEX', journal.key, int(middle))) < position then low = middle + 1 else high = middle end
  end
  return low
end

-- Reads the entry that holds this position, if there is one. Returns whether there is.
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

-- Who is like no other has another identity each time.
local function nameOf()
  return anonymous and '' or identity
end

-- Reads on, until it is known what is written of this position. A journal that cannot be read begins anew: it is
-- every arrival's of the sequence, and none could be metered with it. So a redelivery may be charged once more.
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

-- What the arrival at this position was answered, if it was; if that was another one, the sequence
-- has begun anew. If it was the same by other rules, because of a change that came late, the answers of
-- the others still hold.
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
  call('RPUSH', journal.key, int(journal.last) .. ':' .. cmsgpack.pack(journal.added))
  while endOf(call('LINDEX', journal.key, '0')) < journal.last - KEPT do call('LPOP', journal.key) end
  call('PEXPIRE', journal.key, int(KEPT_MILLIS + graceMillis))
end
