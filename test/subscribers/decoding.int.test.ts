import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asBuffer } from '#src/domain/bytes.ts'
import { decodeEvent } from '#src/events/codec.ts'
import { locateBody } from '#src/events/framing.ts'
import { currentSchema } from '#src/events/schemas.ts'
import type { StoredRecord } from '#src/ports/message-log.ts'
import { importNetwork } from '#test/oracle/imported-network.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'
import { exampleCode } from './document.ts'
import { findPython, outputOf } from './tools.ts'

/** Of what the guide installs, what decodes. */
const [fastavro = ''] = /fastavro==[\d.]+/.exec(exampleCode('python-install')) ?? []
const python = await findPython([fastavro], 'fastavro')
const missing = 'missing' in python ? python.missing : undefined
if (missing !== undefined) console.warn(`skipped: decoding in Python, ${missing}`)

const eventsPerSecondMin = 10_000
const rounds = 10
/**
 * Of the rate at which Python's own `json` reads the same events as text: what is measured differs by machine and neighbours,
 * this far less. They were 1.7 and 0.36.
 */
const headRatioMin = 0.8
const wholeRatioMin = 0.18
const identifier = 7

/** Times the CPU, which others that are at work do not take away; prints what it read first, to be compared. */
const program = `
import json, struct, sys, time
from ledger_events import Events
registry, file, until = sys.argv[1:]
events = Events(registry, {"TransactionRecorded": until} if until else {})
data = open(file, "rb").read()
values, at = [], 0
while at < len(data):
    (size,) = struct.unpack_from(">I", data, at)
    values.append(data[at + 4 : at + 4 + size])
    at += 4 + size
read = [events.decode(value) for value in values]

def rate(read_one, those):
    best = 0
    for _ in range(${rounds}):
        began = time.process_time()
        for each in those:
            read_one(each)
        best = max(best, len(those) / (time.process_time() - began))
    return best

whole = Events(registry)
texts = [json.dumps(whole.decode(value), default=bytes.hex) for value in values]
best = rate(events.decode, values)
moved = [[each["consensusTimestamp"], [[e["accountId"], e["amount"]] for e in each["transfers"]]] for each in read]
print(json.dumps({"rate": round(best), "ratio": best / rate(json.loads, texts), "fields": len(read[0]), "moved": moved}))
`

describe.skipIf(missing !== undefined)(
  `the guide's way to decode in Python${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let registry: Server
    let asked = 0
    let transactions: StoredRecord[]

    beforeAll(async () => {
      folder = await temporaryFolder()
      const { world } = await importNetwork({ seed: 'decoding', accounts: 20 }, 4)
      transactions = (await world.records()).filter(({ type }) => type === 'TransactionRecorded')
      await world.store.close()
      await world.log.close()
      writeFileSync(join(folder.path, 'ledger_events.py'), exampleCode('python-events'))
      writeFileSync(join(folder.path, 'decode.py'), program)
      writeFileSync(join(folder.path, 'events.bin'), Buffer.concat(transactions.map(({ value }) => framed(value))))
      const { schema } = currentSchema('TransactionRecorded')
      registry = createServer((request, response) => {
        asked += 1
        response.end(
          request.url === `/schemas/ids/${identifier}` ? JSON.stringify({ schema: JSON.stringify(schema) }) : '{}',
        )
      })
      await once(registry.listen(0, '127.0.0.1'), 'listening')
    }, 120_000)
    afterAll(async () => {
      registry?.close()
      await folder?.remove()
    })

    const decode = async (until: string): Promise<{ rate: number; ratio: number; fields: number; moved: unknown }> => {
      const { port } = registry.address() as AddressInfo
      const path = 'path' in python ? python.path : ''
      const args = [`http://127.0.0.1:${port}`, join(folder.path, 'events.bin'), until]
      return JSON.parse(await outputOf(path, [join(folder.path, 'decode.py'), ...args]))
    }

    it(`reads over ${eventsPerSecondMin} events a second, asks for a schema once, and has what our own reader has`, {
      timeout: 120_000,
    }, async () => {
      const head = await decode('nftTransfers')
      const whole = await decode('')
      const record = await decode('record')
      console.log(
        `events a second of a core: ${head.rate} of the head, ${record.rate} to the record, ${whole.rate} whole; ` +
          `${head.ratio.toFixed(2)}, ${record.ratio.toFixed(2)} and ${whole.ratio.toFixed(2)} of what json reads`,
      )
      expect(head.rate).toBeGreaterThan(eventsPerSecondMin)
      expect(head.ratio).toBeGreaterThan(headRatioMin)
      expect(whole.ratio).toBeGreaterThan(wholeRatioMin)
      expect(asked, 'once by each reader of the three programs').toBe(6)
      const expected = transactions.map((each) => {
        const event = decodeEvent({ ...each, type: 'TransactionRecorded' })
        const moved = event.transfers.map(({ accountId, amount }) => [Number(accountId), Number(amount)])
        return [Number(event.consensusTimestamp), moved]
      })
      const asNumbers = (moved: unknown) => JSON.parse(JSON.stringify(moved))
      expect(asNumbers(head.moved)).toEqual(expected)
      expect(asNumbers(whole.moved)).toEqual(expected)
      expect(head.fields).toBeLessThan(whole.fields)
    })
  },
)

/** Behind its length, in the framing of a registry. */
function framed(value: Uint8Array): Buffer {
  const buffer = asBuffer(value)
  const body = buffer.subarray(locateBody(buffer).offset)
  const head = Buffer.alloc(9)
  head.writeUInt32BE(body.length + 5)
  head.writeUInt32BE(identifier, 5)
  return Buffer.concat([head, body])
}
