-- The call: meters its arrivals in order, on the fast path (the short way) as long as that can decide, and by
-- the kernel otherwise.

local rowOfRule = ARGV[2]
local ARRIVAL_BYTES = HEADER_BYTES + BUCKET_BYTES
local meterPlain = metererOf and metererOf(rowOfRule)
local digest = meterPlain and sub(redis.sha1hex(rowOfRule), 1, 8)

-- Meters arrivals on the fast path, from an offset in the arrivals on. Returns the offset of the first
-- arrival that needs the kernel.
local function meterShortly(offset)
  local known, journal, added = -1, false, false
  while offset + ARRIVAL_BYTES - 1 <= size do
    local at, release, slotElsewhere, amount, flags, event, record, sequence, position, keptFrom, count, _, index,
      span, fraction, after = unpack('<ddddddddddddddd', arrivals, offset)
    local elsewhere = ELSEWHERE[flags]
    if count ~= 1 or amount ~= 1 or slotElsewhere ~= 0 or release ~= 0 or not elsewhere or states[index]
      or event ~= event then
      return offset
    end
    if sequence ~= known and sequence > 0 then
      journal = journalOf(sequence)
      known, added = sequence, journal.added
    end
    if sequence > 0 then
      if not journal.ended then seek(journal, position) end
      if position <= journal.known then return offset end
    end
    touched = index
    local answer = meterPlain(index, at, event, record, flags % 8 >= CLAIMED, span, fraction)
    if not answer then return offset end
    answers[#answers + 1] = answer
    if sequence > 0 and position > journal.last then
      local n = #added
      added[n + 1], added[n + 2], added[n + 3] = position, pack('<di4', event, record), digest
      added[n + 4], added[n + 5] = elsewhere, answer
      journal.last, journal.keptFrom = position, keptFrom
    end
    offset = after
  end
  return offset
end

local meterAt, save, lacking

local function meterAll()
  while enough and offset <= size do
    if meterPlain then offset = meterShortly(offset) end
    if offset <= size then
      if not meterAt then meterAt, save, lacking = kernel() end
      offset, enough = meterAt(offset)
    end
  end
end

passingOver(meterAll)
if save then save() end
for _, journal in pairs(journals) do saveJournal(journal) end
if lacking and lacking() then answers[#answers + 1] = lacking() end
-- If not all arrivals could be judged, the next calls in the pipeline must not run before the rest of these
-- arrivals.
if not enough and ARGV[5] ~= '' then call('DEL', KEYS[#KEYS]) end

return { concat(answers), spread(problems) }
