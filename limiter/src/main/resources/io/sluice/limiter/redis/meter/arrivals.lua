-- The arrivals of the call, and arrivals that fail because a value cannot be read.

local HEADER_BYTES, BUCKET_BYTES = 88, 32
local arrivals = ARGV[3]
local size = #arrivals

-- Offset of the next arrival, and whether the call brings all facts that the arrivals before it need.
local offset, enough = 1, true

local problems = {}
-- Number of arrivals up to and including the last one that failed, and the offset of the arrival after it.
local passed, passedTo = 0, 1

-- Answers the first unanswered arrival with an error, and continues with the next arrival.
local function passOver(problem)
  for _ = passed, #answers do
    passedTo = passedTo + HEADER_BYTES + BUCKET_BYTES * unpack('<d', arrivals, passedTo + HEADER_BYTES - 8)
  end
  answers[#answers + 1] = pack('<d', FAILED)
  problems[#problems + 1] = KEYS[touched] .. '\n' .. problem
  passed, offset = #answers, passedTo
end

-- Runs a function that meters the arrivals from `offset` on, and again behind each arrival that fails.
local function passingOver(meterRest)
  while true do
    local ok, problem = pcall(meterRest)
    if ok then return end
    if not isOfOneKey(textOf(problem)) then error(problem, 0) end
    passOver(textOf(problem))
  end
end
