import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FoundContract } from '#commands/verification/contract-codes.ts'
import { forgetChain } from '#commands/verification/forget-chain.ts'
import type { RequestSource } from '#commands/verification/verification-service.ts'
import { findByFile, findOpenRequests, findVerified, findVerifiedOfChain } from '#queries/verification/find-verified.ts'
import { openSqliteDecisionStore } from '#src/adapters/sqlite/decision-store.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { VerificationProblem } from '#src/domain/verification/problem.ts'
import { contentHashOf } from '#src/ports/content-store.ts'
import type { DecisionStore } from '#src/ports/decision-store.ts'
import { chain, contractId, fakeVerify, published, VerificationFixture } from '#test/verification/fixture.ts'

let fixture: VerificationFixture
beforeEach(async () => {
  fixture = await new VerificationFixture().begin()
})
afterEach(() => fixture.end())

const explorer: RequestSource = { kind: 'explorer' }

async function contractOf(each = fixture): Promise<FoundContract> {
  return each.reads.find(chain, { kind: 'entity', id: contractId })
}

async function verify(text: string, id?: string) {
  fixture.explorer.answer = published(text)
  return (await fixture.service.request(await contractOf(), explorer, id)).outcome
}

const typesOf = async (each = fixture) => (await each.all()).map(({ type }) => type)

it('writes down each step of a verification, with hashes in place of texts, and without keys', async () => {
  fixture.explorer.answer = published('perfect', {
    sources: new Map([
      ['Counter.sol', 'perfect'],
      ['unused.sol', 'x'],
    ]),
  })
  const { outcome } = await fixture.service.request(await contractOf(), { kind: 'explorer', apiKey: 'callers-secret' })
  expect((await outcome).verified).toMatchObject({ match: 'perfect', unused: ['unused.sol'] })
  expect(await typesOf()).toEqual([
    'VerificationRequested',
    'SourcesFetched',
    'CompilationSucceeded',
    'ContractVerified',
  ])
  expect(fixture.explorer.apiKeys).toEqual(['callers-secret'])
  const all = JSON.stringify(await fixture.all())
  expect(all).not.toContain('secret')
  const { sources } = (await outcome).verified!
  expect(await fixture.contents.get(Object.values(sources))).toEqual(new Map([[contentHashOf('perfect'), 'perfect']]))
})

it('joins requests for a contract that is worked on, in this process and in others', async () => {
  const held = Promise.withResolvers<void>()
  fixture.explorer.hold = held.promise
  const contract = await contractOf()
  const others = [fixture.service, fixture.service, fixture.newService()]
  const started = await Promise.all(others.map((service) => service.request(contract, explorer)))
  expect(new Set(started.map(({ id }) => id)).size).toBe(1)
  held.resolve()
  const outcomes = await Promise.all(started.map(({ outcome }) => outcome))
  expect(outcomes.map(({ verified }) => verified?.match)).toEqual(['perfect', 'perfect', 'perfect'])
  expect([fixture.explorer.asked, (await typesOf()).length]).toEqual([1, 4])
})

it('asks what was asked otherwise once the first is over, whatever came of that', async () => {
  fixture.explorer.answer = new VerificationProblem('explorer_not_verified', 'not there')
  const held = Promise.withResolvers<void>()
  fixture.explorer.hold = held.promise
  const contract = await contractOf()
  const first = await fixture.service.request(contract, explorer)
  const { form: _form, implementation: _implementation, ...input } = published('perfect')
  const second = fixture.service.request(contract, { kind: 'caller', input: { ...input, settings: {}, libraries: [] } })
  held.resolve()
  expect((await first.outcome).failed?.code).toBe('explorer_not_verified')
  expect((await (await second).outcome).verified?.match).toBe('perfect')
})

it('lets a better match replace a worse one, and no worse one replace anything', async () => {
  expect((await verify('partial')).verified?.match).toBe('partial')
  expect((await verify('partial again')).verified?.match).toBe('partial')
  expect((await verify('perfect')).verified?.match).toBe('perfect')
  expect((await verify('partial')).verified?.match).toBe('perfect')
  expect((await typesOf()).filter((type) => /Verified|NotImproved/.test(type))).toEqual([
    'ContractVerified',
    'MatchNotImproved',
    'ContractVerified',
    'MatchNotImproved',
  ])
  await fixture.fold()
  const row = await fixture.reads.verified((rows) => findVerified(rows, chain, contractId))
  expect([row?.match, Object.values(row?.facts.sources ?? {})]).toEqual(['perfect', [contentHashOf('perfect')]])
  const byFile = (text: string) => fixture.reads.verified((rows) => findByFile(rows, chain, contentHashOf(text), 10))
  expect(await byFile('perfect')).toEqual([{ entity: contractId, path: 'Counter.sol' }])
  expect(await byFile('partial')).toEqual([])
})

it('answers a request that is sent again as before, without doing it again', async () => {
  const first = await verify('something else', 'request-1')
  const again = await verify('perfect', 'request-1')
  expect(again).toEqual(first)
  expect([first.failed?.code, fixture.explorer.asked]).toEqual(['no_match', 1])
})

it('forgets a chain, whose contracts are verified anew from then on', async () => {
  await verify('perfect')
  await forgetChain(chain, { store: fixture.store, clock: { now: () => fixture.time }, actor: 'alice' })
  expect((await fixture.service.stateOf(await contractOf())).verified).toBeUndefined()
  await fixture.fold()
  const list = () =>
    fixture.reads.verified((rows) => findVerifiedOfChain(rows, chain, { descending: false, limit: 10 }))
  expect(await list()).toEqual([])
  expect((await verify('partial')).verified?.match).toBe('partial')
  await fixture.fold()
  expect((await list()).map(({ match }) => match)).toEqual(['partial'])
})

it('takes no more than it can work on', async () => {
  const crowded = fixture.newService({ atOnceMax: 0 })
  const refused = await crowded.request(await contractOf(), explorer).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'overloaded' })
  expect(await typesOf()).toEqual([])
})

class Killed extends Error {}

/** Dies before or after an append, as a process that is killed then does: nothing of it is written or told any more. */
function dyingStore(store: DecisionStore, at: number, when: 'before' | 'after'): DecisionStore {
  let count = 0
  const die = (): never => {
    throw new Killed()
  }
  return {
    append: async (...append) => {
      count += 1
      if (count > at || (count === at && when === 'before')) die()
      const revision = await store.append(...append)
      if (count === at) die()
      return revision
    },
    readStream: (...read) => (count >= at ? die() : store.readStream(...read)),
    readAll: (options) => store.readAll(options),
    newest: () => store.newest(),
    identity: () => store.identity(),
    close: async () => undefined,
  }
}

describe('a process that is killed', () => {
  const steps = [1, 2, 3].flatMap((at) => [[at, 'before'] as const, [at, 'after'] as const])

  it.each(steps)('at append %i, %s it, leaves a request that ends in one outcome, once', async (at, when) => {
    const dead = fixture.newService({ store: dyingStore(fixture.store, at, when) })
    const contract = await contractOf()
    const died = await dead.request(contract, explorer, 'request-1').then(
      ({ outcome }) => outcome.catch((error: unknown) => error),
      (error: unknown) => error,
    )
    expect(died).toBeInstanceOf(Killed)
    await fixture.fold()
    const open = await fixture.reads.verified((rows) => findOpenRequests(rows, 10))
    const left = at === 1 && when === 'before' ? [] : at === 3 && when === 'after' ? [] : ['request-1']
    expect(open.map(({ id }) => id)).toEqual(left)
    fixture.time += 60_000
    const next = fixture.newService()
    for (const { id } of open) await next.resume(contract, id)
    const { outcome } = await next.request(contract, explorer, 'request-1')
    expect((await outcome).verified?.match).toBe('perfect')
    expect(await typesOf()).toEqual([
      'VerificationRequested',
      'SourcesFetched',
      'CompilationSucceeded',
      'ContractVerified',
    ])
  })

  it('gives way to whoever comes next only after a while', async () => {
    const dead = fixture.newService({ store: dyingStore(fixture.store, 1, 'after') })
    await dead.request(await contractOf(), explorer, 'request-1').catch(() => undefined)
    const next = fixture.newService()
    const { id, outcome } = await next.request(await contractOf(), explorer)
    expect([id, fixture.explorer.asked]).toEqual(['request-1', 0])
    fixture.time += 60_000
    expect((await outcome).verified?.match).toBe('perfect')
  })
})

it('goes on where two processes do the same step at once, with one outcome', async () => {
  const contract = await contractOf()
  const services = [fixture.service, ...[1, 2, 3].map(() => fixture.newService({ takeOverMs: 0 }))]
  const started = await Promise.all(services.map((service) => service.request(contract, explorer)))
  const outcomes = await Promise.all(started.map(({ outcome }) => outcome))
  expect(new Set(outcomes.map(({ position }) => position)).size).toBe(1)
  expect((await typesOf()).filter((type) => type === 'ContractVerified')).toHaveLength(1)
})

it('ends a request with what kept the compiler from it, and leaves it open where a store is away', async () => {
  const failing = (error: Error) =>
    fixture.newService({
      verify: async () => {
        throw error
      },
    })
  const missing = new LedgerError('compiler_missing', 'run "ledger-history verification compilers add 0.8.30"')
  const { outcome } = await failing(missing).request(await contractOf(), explorer)
  expect((await outcome).failed).toMatchObject({ code: 'compiler_missing', message: missing.message })
  const away = await failing(new LedgerError('store_unavailable', 'away')).request(
    await contractOf(),
    explorer,
    'request-2',
  )
  await expect(away.outcome).rejects.toMatchObject({ code: 'store_unavailable' })
  await fixture.fold()
  expect((await fixture.reads.verified((rows) => findOpenRequests(rows, 10))).map(({ id }) => id)).toEqual([
    'request-2',
  ])
  fixture.time += 60_000
  await fixture.newService({ verify: fakeVerify }).resume(await contractOf(), 'request-2')
  expect((await typesOf()).at(-1)).toBe('ContractVerified')
})

it('keeps decisions over a restart, as embedded stores do', async () => {
  const store = openSqliteDecisionStore({ folder: ':memory:', pollMs: 1 })
  const first = await new VerificationFixture({ store }).begin()
  const { outcome } = await first.service.request(await contractOf(first), explorer)
  await outcome
  const { verified } = await first.newService().stateOf(await contractOf(first))
  expect(verified?.match).toBe('perfect')
  await first.end()
})
