// Reads a whole log in a process of its own and ends by itself: reader-child.ts <brokers> <topic> <readers>. Says what it needed.

import { openKafkaLog } from '#src/adapters/kafka/message-log.ts'
import { testOptions } from '#test/adapters/kafka/support.ts'

const [brokers = '', topic = '', readers = '1'] = process.argv.slice(2)
const log = openKafkaLog(testOptions(brokers.split(','), { topic }))
let residentMiB = 0

async function read(): Promise<number> {
  let count = 0
  for await (const { records } of log.read({ after: 0, countMax: 1_000, bytesMax: 1 << 20, follow: false })) {
    for (const { sequence } of records) if (sequence !== ++count) throw new Error(`${sequence} after ${count - 1}`)
    residentMiB = Math.max(residentMiB, Math.round(process.memoryUsage.rss() / 1_048_576))
  }
  return count
}

const startMiB = Math.round(process.memoryUsage.rss() / 1_048_576)
const counts = await Promise.all(Array.from({ length: Number(readers) }, read))
await log.close()
console.log(JSON.stringify({ counts, grownMiB: residentMiB - startMiB }))
