-- Fast path (the short way) of the sliding window log, for a log without a memo. If the rule has few permits,
-- the log's newest entries are enough. With more permits, Redis would take longer to print the scores of
-- these entries than to answer three commands.

local FEW = 6
local LATEST = '9007199254740990'

makers[1] = function(period, permits)
  local few, place = permits <= FEW, int(permits - 1)
  local lastRank = few and int(permits) or '0'

  -- Returns the number of entries in the window, and the instant of the oldest of these entries; nil if the
  -- arrival's event is among them, or if there are more entries than `permits`.
  local function readFew(top, cutoff, hash)
    local used, oldest = 0, false
    for i = 1, #top, 2 do
      local at = tonumber(top[i + 1])
      if at <= cutoff then break end
      if find(top[i], hash, 2, true) then return nil end
      used, oldest = used + 1, at
    end
    if used > permits then return nil end
    return used, oldest
  end

  local function readMany(key, cutoff, member, hash, claimed)
    if claimed then
      local scores = call('ZMSCORE', key, member, '\5' .. sub(member, 2), '\6' .. hash)
      if scores[1] or scores[2] or scores[3] then return nil end
    elseif call('ZSCORE', key, member) then
      return nil
    end
    local used, oldest = call('ZCOUNT', key, int(cutoff + 1), LATEST), false
    if used >= permits then oldest = tonumber(call('ZREVRANGE', key, place, place, 'WITHSCORES')[2]) end
    return used, oldest
  end

  return function(index, at, event, record, claimed)
    local key = KEYS[index]
    local top = call('ZREVRANGE', key, '0', lastRank, 'WITHSCORES')
    local first = top[1]
    local now, newest, used, oldest = at, -1, 0, false
    if first then
      newest = tonumber(top[2])
      if byte(first) == 0 or not (newest < LIMIT) then return nil end
      if newest > now then now = newest end
    end
    local cutoff = max(-1, now - period)
    local member = pack('<bdi4', 7, event, record)
    local hash = sub(member, 2, 9)
    if newest > cutoff then
      if few then
        used, oldest = readFew(top, cutoff, hash)
      else
        used, oldest = readMany(key, cutoff, member, hash, claimed)
      end
      if not used then return nil end
      if used >= permits then
        return pack(ANSWER, REFUSED, 0, now, oldest + period, NOT_CHARGED, used, newest + period)
      end
    end
    if claimed then
      call('ZADD', key, int(now), member, int(-1 - now), '\6' .. hash)
    else
      call('ZADD', key, int(now), member)
    end
    if first then
      local live = int(cutoff + 1)
      call('ZREMRANGEBYSCORE', key, '-' .. live, '(' .. live)
    end
    call('PEXPIRE', key, ttlText(now + period - at))
    return pack(ANSWER, ADMITTED, 0, now, now, NOT_CHARGED, used + 1, now + period)
  end
end
