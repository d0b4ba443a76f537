-- Bloom filters: io.sluice.limiter.BloomState. The key's value lists the limit's generations, which are
-- groups of filters for the keys of a quarter of a period. For each generation it has the start, the end, the
-- latest reset of the limit before the start, the number of blocks and the error level of the first filter,
-- and the number of filters. Blocks are in further strings, up to 1024 in each, in the format of the state
-- store. So a script reads and writes some 64 bytes, however large a filter is. A bucket brings the latest
-- reset of its rule, and the index in ARGV[9] at which the positions of its key in the filters begin (as
-- io.sluice.limiter.redis.CallRules writes them).

local GENERATION, GENERATION_BYTES = '<dddddd', 48
local BLOCK_BYTES, PAGE_BLOCKS = 64, 1024
local SHARES = 268435456
local MOST_BLOCKS = 16777216
local EMPTY = '\1' .. string.rep('\0', BLOCK_BYTES - 1)
local MOST_RECENT = 16384
local RECENT_MILLIS = 300000

local bloom = {}

function bloom.load(key, rule)
  local value = call('GET', key) or ''
  local state = {
    key = key, fresh = true, anew = false, clock = 0, ttl = 0, blocked = 0, generations = {}, listed = false,
    share = 0, places = '', era = 0, knownUntil = 0, grown = 0, read = {}, written = {}, millis = {}, sizes = {},
    recent = {}, lastRecent = false, firstRecent = 0,
  }
  for at = 1, #value, GENERATION_BYTES do
    local from, to, era, blocks, level, layers = unpack(GENERATION, value, at)
    requireExact(from, to, era, blocks, level, layers)
    state.generations[#state.generations + 1] =
      { from = from, to = to, era = era, blocks = blocks, level = level, layers = layers, name = false }
  end
  return state
end

local function levelOf(generation, layer)
  return generation.level + 2 * layer - LEAST_LEVEL + 1
end

local function blocksOf(generation, layer)
  if layer == 0 then return generation.blocks end
  return min(MOST_BLOCKS, max(1, floor(generation.blocks / 8)) * 2 ^ (layer - 1))
end

local function nameOf(state, generation)
  if not generation.name then
    local from, to, era = int(generation.from), int(generation.to), int(generation.era)
    local blocks, level = int(generation.blocks), int(generation.level)
    generation.name = concat({ state.key, from, to, era, blocks, level, '' }, ':')
  end
  return generation.name
end

-- Returns the Redis key of the string that has the block of the bucket's key in a filter, the block's offset
-- in the string, and the string's full length.
local function placeOf(state, generation, layer)
  local blocks = blocksOf(generation, layer)
  local block = floor(state.share * blocks / SHARES)
  local page = floor(block / PAGE_BLOCKS)
  local size = min(PAGE_BLOCKS, blocks - page * PAGE_BLOCKS) * BLOCK_BYTES
  return nameOf(state, generation) .. layer .. ':' .. int(page), (block - page * PAGE_BLOCKS) * BLOCK_BYTES, size
end

local function readBlock(state, page, at)
  local blocks = state.read[page]
  if not blocks then
    blocks = {}
    state.read[page] = blocks
  end
  local block = blocks[at]
  if not block then
    block = call('GETRANGE', page, int(at), int(at + BLOCK_BYTES - 1))
    if byte(block) ~= 1 then block = EMPTY end
    blocks[at] = block
  end
  return block
end

local function isFull(block, generation, layer)
  return byte(block, 2) >= PAIRS[levelOf(generation, layer)]
end

local function isIn(block, places, bits)
  for i = 1, 2 * bits, 2 do
    if bit.band(byte(block, byte(places, i) + 1), byte(places, i + 1)) == 0 then return false end
  end
  return true
end

local function knows(state, generation)
  for layer = 0, generation.layers - 1 do
    local page, at = placeOf(state, generation, layer)
    local block = readBlock(state, page, at)
    if isIn(block, state.places, BITS[levelOf(generation, layer)]) then return true end
    if not isFull(block, generation, layer) then return false end
  end
  return false
end

function bloom.look(state, rule, bucket)
  state.share = unpack('<d', ARGV[9], bucket.span)
  state.places = sub(ARGV[9], bucket.span + 8, bucket.span + 55)
  state.era, state.knownUntil, state.grown = bucket.fraction, 0, 0
  local after = max(rule.gone, now - rule.period)
  for _, generation in ipairs(state.generations) do
    if generation.era == state.era and generation.to > max(after, state.knownUntil) and knows(state, generation) then
      state.knownUntil = generation.to
    end
  end
end

function bloom.conformsAt(state)
  return state.knownUntil > 0 and LATER or now
end

-- Returns the Redis key of the sorted set with the records that the limit has admitted last. Only the same
-- record is recognised by it: another record of an event is refused, because its key is in the filters.
local function recentKey(state)
  return state.key .. ':recent'
end

function bloom.prior(state)
  if state.knownUntil == 0 then return false, false end
  if state.recent[identity] or call('ZSCORE', recentKey(state), identity) then return 0, SAME_RECORD end
  return false, false
end

local function readLastRecent(state)
  if anonymous or state.lastRecent then return end
  local last = call('ZREVRANGE', recentKey(state), '0', '0', 'WITHSCORES')
  state.lastRecent = last[2] and tonumber(last[2]) or 0
end

local function noteRecent(state)
  if anonymous then return end
  readLastRecent(state)
  state.lastRecent = state.lastRecent + 1
  state.recent[identity] = state.lastRecent
end

-- Begins a generation of filters. Other generations stay in the list for a period and the grace after their
-- keys have left the window, because other partitions may be that far behind.
local function begin(state, rule)
  local length = ceil(rule.period / 4)
  local from = now - now % length
  local known = {}
  for _, generation in ipairs(state.generations) do
    if leavesAt(rule, generation.to) > now - 1000 * graceMillis - rule.period then known[#known + 1] = generation end
  end
  local generation = {
    from = from, to = from + length, era = state.era, blocks = rule.tolerance, level = rule.toleranceFraction,
    layers = 0, name = false,
  }
  known[#known + 1] = generation
  state.generations, state.listed = known, true
  return generation
end

local function generationOf(state, rule)
  for i = #state.generations, 1, -1 do
    local each = state.generations[i]
    if each.era == state.era and each.from <= now and now < each.to then return each end
  end
  return begin(state, rule)
end

local function with(block, places, bits)
  local bytes = { byte(block, 1, BLOCK_BYTES) }
  bytes[2] = min(255, bytes[2] + 1)
  for i = 1, 2 * bits, 2 do
    local at = byte(places, i) + 1
    bytes[at] = bit.bor(bytes[at], byte(places, i + 1))
  end
  return string.char(spread(bytes))
end

-- Adds a filter to the list. If a generation that has left the list begins again, filters of it that are not
-- listed can exist and be full.
local function openFilter(state, generation, layer)
  generation.layers, state.listed = layer + 1, true
  if layer + 1 == BEYOND_CAPACITY then state.grown = 1 end
end

-- Finds the block that takes the bucket's key. Returns the number of the block's filter, the Redis key of the
-- string with the block, the block's offset in the string, the string's full length, and the block.
local function findBlock(state, generation)
  local layer = 0
  local page, at, size = placeOf(state, generation, layer)
  local block = readBlock(state, page, at)
  while isFull(block, generation, layer) and layer < LAYERS - 1 do
    layer = layer + 1
    page, at, size = placeOf(state, generation, layer)
    block = readBlock(state, page, at)
  end
  return layer, page, at, size, block
end

function bloom.ready(state, rule)
  readLastRecent(state)
  findBlock(state, generationOf(state, rule))
end

function bloom.charge(state, rule)
  noteRecent(state)
  local generation = generationOf(state, rule)
  local layer, page, at, size, block = findBlock(state, generation)
  if layer >= generation.layers then openFilter(state, generation, layer) end
  state.read[page][at] = with(block, state.places, BITS[levelOf(generation, layer)])
  local written = state.written[page] or {}
  written[at] = true
  state.written[page], state.sizes[page] = written, size
  local millis = ttlMillis(leavesAt(rule, generation.to))
  state.millis[page] = max(state.millis[page] or 0, millis)
  state.ttl, state.knownUntil = max(state.ttl, millis), generation.to
end

-- Writes the changed blocks of a string. A new string is created at its full length, because a string that
-- grows takes twice as much memory.
local function savePage(state, page, written)
  if call('GETRANGE', page, '0', '0') == '' then call('SETRANGE', page, int(state.sizes[page] - 1), '\0') end
  for at in pairs(written) do call('SETRANGE', page, int(at), state.read[page][at]) end
  call('PEXPIRE', page, int(state.millis[page]))
end

-- Writes blocks, which take memory, before the list: once a script has written anything, Redis lets it
-- finish, however full the memory is.
function bloom.save(state)
  for page, written in pairs(state.written) do savePage(state, page, written) end
  local list = {}
  for i, each in ipairs(state.generations) do
    list[i] = pack(GENERATION, each.from, each.to, each.era, each.blocks, each.level, each.layers)
  end
  if state.listed then call('SET', state.key, concat(list), 'PX', int(state.ttl)) end
  if not state.listed then call('PEXPIRE', state.key, int(state.ttl)) end
  if not state.lastRecent then return end
  for name, number in pairs(state.recent) do call('ZADD', recentKey(state), int(number), name) end
  call('ZREMRANGEBYSCORE', recentKey(state), '-inf', int(state.lastRecent - MOST_RECENT))
  call('PEXPIRE', recentKey(state), int(RECENT_MILLIS + graceMillis))
end

function bloom.facts(state, rule, numbers, n)
  numbers[n + 1] = state.knownUntil > 0 and state.knownUntil + rule.period or 0
  numbers[n + 2] = state.grown
  return n + 2
end
