-- Fast path (the short way) of GCRA. It reads values with a rate and at most four remembered events; the
-- length of a value tells the number of its events.

local FORMS = {}
for n = 0, 4 do FORMS[52 + 20 * n] = '<dddddI4d' .. string.rep('dxxxxd', n) end
local RING_AT, SHORTENED_RING = 53, 73 -- offset of the ring of events, and of the ring without its first event

makers[0] = function(period, permits, tolerance, toleranceFraction)
  local values = call('MGET', spread(KEYS)) -- one command for all keys; false for a key that holds no string

  return function(index, at, event, record, _, span, spanFraction)
    local key = KEYS[index]
    local value = values[index] or call('GET', key) -- GET fails if the key holds another type
    local now, tat, fraction, newest, ring = at, 0, 0, at, ''
    if value then
      local form = FORMS[#value]
      if not form then return nil end
      local clock, reserved, mark, itsPermits, itsPeriod, e1, t1, e2, t2, e3, t3, e4, t4
      clock, tat, fraction, reserved, mark, itsPermits, itsPeriod, e1, t1, e2, t2, e3, t3, e4, t4 =
        unpack(form, value)
      if not (clock < LIMIT and tat < LIMIT) then return nil end
      if itsPermits ~= permits or itsPeriod ~= period or mark ~= 0 or 1 / mark < 0 or reserved ~= 0
        or e1 == event or e2 == event or e3 == event or e4 == event then return nil end
      if clock > now then now = clock end
      if t4 then
        newest = max(t2, t3, t4)
      elseif t1 then
        newest = max(t1, t2 or 0, t3 or 0)
      end
      ring = sub(value, t4 and SHORTENED_RING or RING_AT)
    end
    local whole, part = tat, fraction
    if whole < now then whole, part = now, 0 end
    whole, part = whole + span, part + spanFraction
    local over = part - toleranceFraction
    local conformsAt = whole - tolerance + (over > permits and 2 or over > 0 and 1 or 0)
    if conformsAt > now then return pack(ANSWER, REFUSED, 0, now, conformsAt, NOT_CHARGED, tat, fraction) end
    if part >= permits then whole, part = whole + 1, part - permits end
    value = pack('<dddddI4dc0di4d', now, whole, part, 0, 0, permits, period, ring, event, record, now)
    local needed = max(part > 0 and whole + 1 or whole, newest + period, now + period)
    call('SET', key, value, 'PX', ttlText(needed - at))
    values[index] = value
    return pack(ANSWER, ADMITTED, 0, now, now, NOT_CHARGED, whole, part)
  end
end
