-- Rules that change: io.sluice.limiter.Schedule. Such a rule has the list `phases`, with the phases that the
-- call brings. A phase is a rule with the numbers in force from its first instant on, and refers to the rule
-- that changes as `whole`.

-- Returns the phase of a rule that is in force at an instant; the rule itself before its first phase.
local function inForce(rule, at)
  local phases = rule.phases
  for i = #phases, 1, -1 do
    if phases[i].from <= at then return phases[i] end
  end
  return rule
end

-- Whether the call brings too few phases of a rule: the bucket was last charged before the first phase that
-- is known, or the bucket's window begins before it.
local function lacksPhases(rule, state, current)
  local known = rule.known
  if known == 0 then return false end
  return now - current.period < known or not state.fresh and state.clock < known
end

local function beginsAnew(rule, clock)
  local phases = rule.phases
  for i = #phases, 1, -1 do
    local phase = phases[i]
    if phase.from <= clock then return false end
    if phase.anew and phase.from <= now then return true end
  end
  return false
end

-- Returns the largest number of permits in force at any time between an instant and now.
local function mostPermits(rule, since)
  local whole = rule.whole or rule
  if not whole.phases then return rule.permits end
  local most = inForce(whole, since).permits
  for _, phase in ipairs(whole.phases) do
    if phase.from > since and phase.from <= now then most = max(most, phase.permits) end
  end
  return most
end

-- Returns the instant at which an entry at this instant leaves the window, with regard to changes of the rule
-- after now.
local function leavesAt(rule, instant)
  local leaves, phases = instant + rule.period, (rule.whole or rule).phases
  if not phases then return leaves end
  for _, phase in ipairs(phases) do
    if phase.from >= leaves then break end
    if phase.from > now then leaves = max(phase.from, instant + phase.period) end
  end
  return leaves
end

-- Returns a number as its digits to the base 16, the lowest first, for arithmetic whose results do not fit in
-- a double. A factor or a divisor must be below 2^49, so that sixteen times its value is exact in a double.
local function wide(number)
  local digits = {}
  repeat
    local rest = floor(number / 16)
    digits[#digits + 1] = number - 16 * rest
    number = rest
  until number == 0
  return digits
end

local function narrow(digits)
  local number = 0
  for i = #digits, 1, -1 do number = 16 * number + digits[i] end
  return number
end

local function multiply(digits, factor, plus)
  local i = 1
  while digits[i] or plus > 0 do
    local sum = (digits[i] or 0) * factor + plus
    plus = floor(sum / 16)
    digits[i] = sum - 16 * plus
    i = i + 1
  end
end

-- Divides a number, given by its digits, in place, and returns the remainder.
local function divide(digits, divisor)
  local rest = 0
  for i = #digits, 1, -1 do
    rest = 16 * rest + digits[i]
    digits[i] = floor(rest / divisor)
    rest = rest - divisor * digits[i]
  end
  return rest
end

local function divideUp(digits, divisor)
  if divide(digits, divisor) > 0 then multiply(digits, 1, 1) end
end

-- Subtracts a number from a number that is given by its digits and is not smaller.
local function subtract(digits, number)
  local less, borrow = wide(number), 0
  for i = 1, #digits do
    local digit = digits[i] - (less[i] or 0) - borrow
    borrow = digit < 0 and 1 or 0
    digits[i] = digit + 16 * borrow
  end
end
