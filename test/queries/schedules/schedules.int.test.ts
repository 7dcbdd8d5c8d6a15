import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scheduleRoutes } from '#queries/schedules/routes.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { openTestLedger, type TestLedger } from '#test/http/ledger.ts'
import {
  schedule,
  scheduleCreated,
  scheduleDeleted,
  scheduleRan,
  scheduleSigned,
  signedBy,
} from '#test/projections/schedules/story.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'
import { alice, bob } from '#test/support/events.ts'

let ledger: TestLedger
beforeEach(async () => {
  ledger = await openTestLedger(scheduleRoutes)
})
afterEach(() => ledger.close())

async function get(path: string, status = 200) {
  const answer = await ledger.app().inject(`/api/v1/schedules${path}`)
  expect({ path, status: answer.statusCode }).toEqual({ path, status })
  return answer
}

const wrong = (...texts: string[]) => ({ _status: { messages: texts.map((message) => ({ message })) } })
const second = 1_000_000_000n

describe('/schedules/{id}', () => {
  const created = scheduleCreated(
    10n,
    { memo: 'rent', expirationTime: { seconds: 9n, nanos: 0 }, adminKey: { ed25519: Buffer.alloc(32, 1) } },
    { signatures: [signedBy(1)] },
  )

  it('shows who signed, in lines as established clients see them, and when it ran', async () => {
    const byContract = { parentConsensusTimestamp: 19n }
    await ledger.record([created, scheduleSigned(20n, [signedBy(2)], byContract), scheduleRan(21n)])
    const answer = await get(`/0.0.${schedule}`)
    const signature = (time: string, byte: number) => {
      const text = Buffer.alloc(64, byte).toString('base64')
      const lines = `${text.slice(0, 76)}\n${text.slice(76)}`
      const prefix = Buffer.alloc(32, byte).toString('base64')
      return { consensus_timestamp: time, public_key_prefix: prefix, signature: lines, type: 'ED25519' }
    }
    expect(answer.json()).toEqual({
      admin_key: { _type: 'ED25519', key: '01'.repeat(32) },
      consensus_timestamp: '0.000000010',
      creator_account_id: `0.0.${alice}`,
      deleted: false,
      executed_timestamp: '0.000000021',
      expiration_time: '9.000000000',
      memo: 'rent',
      payer_account_id: `0.0.${bob}`,
      schedule_id: `0.0.${schedule}`,
      signatures: [signature('0.000000010', 1), signature('0.000000020', 2)],
      transaction_body: '',
      wait_for_expiry: false,
    })
    expect(answer.headers['cache-control']).toBe('public, max-age=3600')
  })

  it('shows nothing of later than what the answer says that it reflects', async () => {
    await ledger.record([created, scheduleSigned(20n, [signedBy(2)]), scheduleRan(21n), scheduleDeleted(22n)])
    const at = async (time: bigint) => {
      const { schedules } = ledger.readers
      const { get, find } = { get: schedules!.get.bind(schedules), find: schedules!.find.bind(schedules) }
      const reader = { ...rowReaderFake({}, { position: 1, time }), get, find }
      const answer = await ledger
        .app({}, { readers: { ...ledger.readers, schedules: reader } })
        .inject('/api/v1/schedules')
      const [shown] = answer.json().schedules
      return shown && [shown.signatures.length, shown.executed_timestamp, shown.deleted]
    }
    expect(await at(9n)).toBeUndefined()
    expect(await at(19n)).toEqual([1, null, false])
    expect(await at(20n)).toEqual([2, null, false])
    expect(await at(21n)).toEqual([2, '0.000000021', false])
    expect(await at(22n)).toEqual([2, '0.000000021', true])
  })

  it('may be kept for long once nothing will change it', async () => {
    const now = BigInt(Date.parse('2024-01-01T00:00:00Z')) * 1_000_000n
    const creation = (entityId: bigint, time: bigint, expiry: bigint | null = null) => {
      const expirationTime = expiry === null ? null : { seconds: expiry / second, nanos: 0 }
      return scheduleCreated(time, { expirationTime }, { entityId })
    }
    await ledger.record([
      creation(1n, now - 3_600n * second),
      creation(2n, now - 3_599n * second, now),
      creation(3n, now - 3_598n * second, now - 60n * second),
      creation(4n, now - 3_597n * second, now - 59n * second),
      creation(5n, now - 1_860n * second),
      creation(6n, now - 1_859n * second),
      creation(schedule, now - 2n * second),
      scheduleDeleted(now - second),
    ])
    const ages = [3600, 1, 3600, 1, 3600, 1].entries()
    for (const [index, age] of [...ages, [Number(schedule) - 1, 3600] as const])
      expect((await get(`/${index + 1}`)).headers['cache-control']).toBe(`public, max-age=${age}`)
    expect((await get(`/${schedule}`)).json()).toMatchObject({ deleted: true })
  })

  it('is refused by the name that established clients know', async () => {
    expect((await get('/5', 404)).json()).toEqual(wrong('Not found'))
    expect((await get('/0x5', 404)).json()).toEqual(wrong('Not found'))
    expect((await get('/0xa5', 400)).json()).toEqual(wrong('Invalid parameter: scheduleid'))
    expect((await get('/x?order=asc', 400)).json()).toEqual(wrong('Unknown query parameter: order'))
  })
})

describe('/schedules', () => {
  const by = (entityId: bigint, creator: bigint): LogRecord =>
    scheduleCreated(entityId, {}, { entityId, payerAccountId: creator })
  const idsOf = (body: { schedules: { schedule_id: string }[] }) =>
    body.schedules.map(({ schedule_id }) => Number(schedule_id.split('.')[2]))

  beforeEach(() => ledger.record([by(1n, 50n), by(2n, 60n), by(3n, 50n), by(4n, 70n), by(5n, 60n)]))

  it.each([
    ['', [1, 2, 3, 4, 5]],
    ['?order=desc&limit=2', [5, 4]],
    ['?account.id=60', [2, 5]],
    ['?account.id=60&schedule.id=gt:2', [5]],
    ['?account.id=gte:60&order=desc', [5, 4, 2]],
    ['?account.id=gt:50&account.id=lt:70&limit=1', [2]],
    ['?account.id=gte:70&limit=1', [4]],
    ['?account.id=ne:50&schedule.id=ne:4', [2, 5]],
    ['?account.id=50&account.id=60', []],
    ['?schedule.id=2&schedule.id=3', []],
    ['?schedule.id=0x0000000000000000000000000000000000000003', [3]],
    ['?account.id=0xabcdef0000000000000000000000000000000003', []],
    ['?account.id=ne:0xabcdef0000000000000000000000000000000003', []],
    ['?schedule.id=ne:0xabcdef0000000000000000000000000000000003', []],
  ])('lists what %s leaves', async (query, expected) => {
    expect(idsOf((await get(query)).json())).toEqual(expected)
  })

  it('pages through those of a range of creators', async () => {
    const seen: number[] = []
    for (let path: string | null = '?account.id=gte:60&limit=1&order=desc'; path !== null; ) {
      const body: { schedules: { schedule_id: string }[]; links: { next: string | null } } = (await get(path)).json()
      seen.push(...idsOf(body))
      path = body.links.next?.replace('/api/v1/schedules', '') ?? null
    }
    expect(seen).toEqual([5, 4, 2])
  })
})
