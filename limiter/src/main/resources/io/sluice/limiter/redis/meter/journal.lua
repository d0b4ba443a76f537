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

-- Reads the entry that holds this position, if there is one. Returns whether there is.
local function readEntry(journal, position)
  local entry = call('XRANGE', journal.key, int(position), '+', 'COUNT', '1')[1]
  if not entry then return false end
  local list = cmsgpack.unpack(entry[2][2])
  for at = 1, #list, 5 do journal.old[list[at]] = { list = list, at = at } end
  journal.known = tonumber(match(entry[1], '^%d+'))
  return true
end

local function startOver(journal)
  call('DEL', journal.key)
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
  local trim = int(max(0, journal.last - KEPT))
  local entry = cmsgpack.pack(journal.added)
  call('XADD', journal.key, 'MINID', '~', trim, int(journal.last), '', entry)
  call('PEXPIRE', journal.key, int(KEPT_MILLIS + graceMillis))
end
