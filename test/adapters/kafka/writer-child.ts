// A writer in a process of its own: writer-child.ts <brokers> <topic> <signal> <at>. Appends the event 1 alone, then many at once, and sends
// itself the signal before the event number <at> of those. Says what became of it, one line of JSON each.

import { openKafkaLog } from '#src/adapters/kafka/message-log.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { testOptions } from '#test/adapters/kafka/support.ts'
import { logRecord } from '#test/contract/message-log.contract.ts'

const [brokers = '', topic = '', signal = '', at = ''] = process.argv.slice(2)
const say = (fields: object): void => console.log(JSON.stringify(fields))
let passed = 0
const framing = {
  toWire: (value: Uint8Array) => {
    if (++passed === Number(at)) process.kill(process.pid, signal)
    return value
  },
  fromWire: (value: Uint8Array) => value,
}
const log = openKafkaLog(
  testOptions(brokers.split(','), { topic, framing, batchBytesMax: 20_000, compression: 'none' }),
)
const writer = await log.openWriter()
await writer.append([[logRecord(1)]])
say({ appended: 1 })
const value = Buffer.alloc(1_000)
try {
  await writer.append([Array.from({ length: 200 }, (_, index) => logRecord(index + 2, { key: 'lost', value }))])
  say({ appended: 201 })
} catch (error) {
  say({ code: isLedgerError(error) ? error.code : String(error) })
}
await log.close()
