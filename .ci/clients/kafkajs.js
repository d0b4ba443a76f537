// Publishes events with KafkaJS and reads their verdicts: node kafkajs.js BROKER
// kim's records have keys; lee's have none, so that they are spread over all partitions.
'use strict'
const assert = require('node:assert')
const { Kafka, logLevel } = require('kafkajs')

const USERS = { kim: 'kim', lee: null }
const EACH = 7 // the demo allows 5 replies in a minute

const kafka = new Kafka({ brokers: [process.argv[2]], logLevel: logLevel.ERROR })
const verdicts = new Map()
let finish
const finished = new Promise((resolve) => { finish = resolve })

const text = (headers) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.toString()]))

async function publish () {
  const producer = kafka.producer()
  await producer.connect()
  const messages = Object.entries(USERS).flatMap(([userId, key]) =>
    Array.from({ length: EACH }, (_, i) => ({
      key,
      value: JSON.stringify({ userId, action: 'reply', eventId: `kafkajs-${userId}-${i}` }),
      headers: { mine: 'kept' }
    })))
  await producer.send({ topic: 'user-actions', messages })
  await producer.disconnect()
}

async function read (consumer) {
  await consumer.connect()
  await consumer.subscribe({ topics: ['allowed-actions', 'rejected-actions'], fromBeginning: true })
  await consumer.run({
    eachMessage: async ({ topic, message }) => {
      const value = message.value.toString()
      if (!value.includes('"kafkajs-')) return // an event of the demo
      const event = JSON.parse(value)
      assert(!verdicts.has(event.eventId), `${event.eventId} came twice`)
      verdicts.set(event.eventId, {
        topic, event, key: message.key && message.key.toString(), headers: text(message.headers)
      })
      if (verdicts.size === EACH * Object.keys(USERS).length) finish()
    }
  })
}

function check () {
  for (const [user, key] of Object.entries(USERS)) {
    const mine = [...verdicts.values()].filter(({ event }) => event.userId === user)
    const allowed = mine.filter(({ topic }) => topic === 'allowed-actions')
    const rejected = mine.filter(({ topic }) => topic === 'rejected-actions')
    assert.strictEqual(allowed.length, 5, `${user}: ${allowed.length} allowed`)
    assert.strictEqual(rejected.length, 2, `${user}: ${rejected.length} rejected`)
    for (const { headers } of allowed) assert.strictEqual(headers['sluice-verdict'], 'allowed')
    for (const { headers } of rejected) {
      assert.strictEqual(headers['sluice-verdict'], 'rejected')
      assert.strictEqual(headers['sluice-reason'], 'over-limit')
      assert(Number(headers['sluice-retry-after-ms']) > 0)
    }
    for (const each of mine) {
      assert.strictEqual(each.key, key)
      assert.strictEqual(each.headers['sluice-limit'], 'reply')
      assert.strictEqual(each.headers.mine, 'kept')
    }
  }
}

async function main () {
  const consumer = kafka.consumer({ groupId: 'kafkajs' })
  const late = setTimeout(() => {
    console.error(`only ${verdicts.size} verdicts came`)
    process.exit(1)
  }, 40_000)
  await read(consumer)
  await publish()
  await finished
  check()
  clearTimeout(late)
  await consumer.disconnect()
  console.log(`KafkaJS published ${2 * EACH} and read 10 allowed and 4 rejected`)
}

main().catch((failure) => {
  console.error(failure)
  process.exit(1)
})
