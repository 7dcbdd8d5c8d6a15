import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { longZeroOf } from '#src/evm/addresses.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { openStatedLedger } from '#test/evm/call-ledger.ts'
import { alice, payment, seenAs, systemWorld } from '#test/evm/system/world.ts'
import type { TestLedger } from '#test/http/ledger.ts'
import { transaction } from '#test/projections/entities/story.ts'
import { recordOf } from '#test/support/events.ts'
import { wholeEvent } from '#test/support/whole-event.ts'

const service = longZeroOf(363n)
const abi = parseAbi(['function authorizeSchedule(address) returns (int64)'])
/** After all that is stated, and before the schedule expires. */
const after = 1_780_000_000_000_000_000n
const aliceKey = Buffer.from(`02${'5b'.repeat(32)}`, 'hex')

let ledger: TestLedger
let app: ReturnType<TestLedger['app']>

function blockOf(number: bigint, time: bigint): LogRecord {
  const hash = Buffer.alloc(48, Number(number))
  const times = { consensusStart: time, consensusEnd: time, hapiVersionMajor: 0, hapiVersionMinor: 67 }
  return recordOf('BlockRecorded', wholeEvent('BlockRecorded', { number, hash, previousHash: hash, ...times }))
}

beforeAll(async () => {
  ledger = await openStatedLedger(systemWorld(''))
  const signatures = [{ pubKeyPrefix: aliceKey, ECDSASecp256k1: Buffer.alloc(64) }]
  const facts = { payerAccountId: alice, signatures, scheduleSign: {} }
  await ledger.record([transaction(after, 44, payment, facts), blockOf(101n, after)])
  const later = after + 2_000_000_000n
  await ledger.record([transaction(later, 43, payment, { scheduleDelete: {} }), blockOf(102n, later)])
  app = ledger.app({ contractCalls: { ...defaultCallSettings, deadlineMs: 50_000 } })
})

afterAll(async () => {
  await app.close()
  await ledger.close()
})

/** The number of the response, or of what reverts its name. */
async function authorizedAt(block: string): Promise<bigint | string | undefined> {
  const data = encodeFunctionData({ abi, functionName: 'authorizeSchedule', args: [longZeroOf(payment)] })
  const payload = { from: seenAs(alice), to: service, data, block }
  const { body } = await app.inject({ method: 'POST', url: '/api/v1/contracts/call', payload })
  const { result, _status } = JSON.parse(body) as Answer
  return result === undefined ? _status?.messages.at(-1)?.message : BigInt(result)
}

interface Answer {
  readonly result?: Hex
  readonly _status?: { readonly messages: readonly { readonly message: string }[] }
}

it('signs a schedule as it was at each block', async () => {
  // Nobody had signed; alice had; it was deleted, and what is deleted is not there.
  expect(await authorizedAt('100')).toBe(22n)
  expect(await authorizedAt('101')).toBe(205n)
  expect(await authorizedAt('102')).toBe('INVALID_SCHEDULE_ID')
  expect(await authorizedAt('latest')).toBe('INVALID_SCHEDULE_ID')
})
