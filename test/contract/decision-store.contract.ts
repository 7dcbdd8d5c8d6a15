import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import type { DecisionStore, NewDecision, RecordedDecision } from '#src/ports/decision-store.ts'

export interface DecisionStoreFixture {
  /** Another handle on the same store. */
  open(): Promise<DecisionStore>
  dispose(): Promise<void>
}

export function decision(type: string, data: object = {}, id: string = randomUUID()): NewDecision {
  const metadata = {
    command_id: 'c-1',
    command_digest: 'abc',
    actor: 'alice',
    actor_role: 'operator' as const,
    recorded_at: '2026-02-03T14:05:10.250Z',
    schema_version: 1,
  }
  return { id, type, data, metadata }
}

/** Every adapter of DecisionStore passes this suite unchanged. */
export function describeDecisionStore(name: string, createFixture: () => Promise<DecisionStoreFixture>): void {
  describe(`${name} as a decision store`, () => {
    let fixture: DecisionStoreFixture | undefined
    const start = async (): Promise<DecisionStoreFixture> => {
      fixture = await createFixture()
      return fixture
    }
    afterEach(async () => {
      await fixture?.dispose()
      fixture = undefined
    })

    it('has nothing at first', async () => {
      const store = await (await start()).open()
      expect(await store.newest()).toBeUndefined()
      expect(await store.identity()).toBeUndefined()
      expect(await store.readStream('incident-x')).toEqual([])
      expect(await allOf(store)).toEqual([])
    })

    it('gives back what was appended, with its revision and place, through another handle', async () => {
      const { open } = await start()
      const store = await open()
      const text = 'Grüße 🚦 <b>\u0000"\\'
      const first = decision('IncidentOpened', { name: text, list: [1, null, { deep: true }], number: 0.5 })
      expect(await store.append('incident-x', 'none', [first, decision('IncidentUpdated')])).toBe(1)
      expect(await store.append('incident-y', 'none', [decision('IncidentOpened')])).toBe(0)
      expect(await store.append('incident-x', 1, [decision('IncidentResolved')])).toBe(2)
      const other = await open()
      const events = await other.readStream('incident-x')
      expect(events[0]).toEqual({ ...first, stream: 'incident-x', revision: 0, position: expect.any(Number) })
      expect(events.map(({ type, revision }) => [type, revision])).toEqual([
        ['IncidentOpened', 0],
        ['IncidentUpdated', 1],
        ['IncidentResolved', 2],
      ])
      expect((await other.readStream('incident-x', 1)).map(({ revision }) => revision)).toEqual([1, 2])
      expect((await allOf(other)).map(({ stream, revision }) => `${stream}/${revision}`)).toEqual([
        'incident-x/0',
        'incident-x/1',
        'incident-y/0',
        'incident-x/2',
      ])
    })

    it('appends nothing at another revision than the expected one', async () => {
      const store = await (await start()).open()
      await store.append('incident-x', 'none', [decision('IncidentOpened')])
      for (const expected of ['none', 1, 7] as const) {
        const attempt = store.append('incident-x', expected, [decision('IncidentUpdated'), decision('IncidentUpdated')])
        await expect(attempt).rejects.toMatchObject({ code: 'revision_conflict' })
      }
      await expect(store.append('incident-y', 0, [decision('IncidentUpdated')])).rejects.toMatchObject({
        code: 'revision_conflict',
      })
      expect(await allOf(store)).toHaveLength(1)
    })

    it('takes the same events again at the same revision without writing them twice', async () => {
      const store = await (await start()).open()
      const events = [decision('IncidentOpened'), decision('IncidentUpdated')]
      expect(await store.append('incident-x', 'none', events)).toBe(1)
      expect(await store.append('incident-x', 'none', events)).toBe(1)
      expect(await allOf(store)).toHaveLength(2)
    })

    it('lets one of many win each revision, from several handles', async () => {
      const { open } = await start()
      const handles = [await open(), await open(), await open()]
      for (let revision = 0; revision < 4; revision++) {
        const expected = revision === 0 ? 'none' : revision - 1
        const attempts = await Promise.allSettled(
          Array.from({ length: 9 }, (_, index) =>
            handles[index % 3]!.append('incident-x', expected, [decision('IncidentUpdated', { index })]),
          ),
        )
        const won = attempts.filter(({ status }) => status === 'fulfilled')
        const lost = attempts.flatMap((each) => (each.status === 'rejected' ? [each.reason.code] : []))
        expect([won.length, new Set(lost)]).toEqual([1, new Set(['revision_conflict'])])
      }
      expect((await handles[0]!.readStream('incident-x')).map(({ revision }) => revision)).toEqual([0, 1, 2, 3])
    })

    it('reads all streams in ascending positions, from any of them, in batches as large as asked for', async () => {
      const store = await (await start()).open()
      for (let index = 0; index < 7; index++)
        await store.append(`component-${index % 2}`, index < 2 ? 'none' : (index >> 1) - 1, [
          decision('ComponentUpdated', { index }),
        ])
      const all = await allOf(store)
      const positions = all.map(({ position }) => position)
      expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b))
      expect(await store.newest()).toEqual(all.at(-1))
      for (const [index, after] of positions.entries()) {
        expect((await allOf(store, after)).map(({ position }) => position)).toEqual(positions.slice(index + 1))
      }
      const sizes: number[] = []
      for await (const { events } of store.readAll({ after: 0, countMax: 3, follow: false })) sizes.push(events.length)
      expect(Math.max(...sizes)).toBeLessThanOrEqual(3)
      expect(sizes.reduce((sum, size) => sum + size)).toBe(7)
    })

    it('gives those who follow what comes later, in order and once, to each of them', async () => {
      const { open } = await start()
      const store = await open()
      await store.append('incident-x', 'none', [decision('IncidentOpened', { index: 0 })])
      const stop = new AbortController()
      const followers = [
        collect(await open(), 0, 5, stop),
        collect(await open(), (await store.newest())!.position, 4, stop),
      ]
      for (let index = 1; index < 5; index++)
        await store.append('incident-x', index - 1, [decision('IncidentUpdated', { index })])
      const [all, later] = await Promise.all(followers)
      expect(all?.map(({ data }) => data)).toEqual([0, 1, 2, 3, 4].map((index) => ({ index })))
      expect(later?.map(({ data }) => data)).toEqual([1, 2, 3, 4].map((index) => ({ index })))
    })

    it('ends a reader that follows when it is told to', async () => {
      const store = await (await start()).open()
      const stop = new AbortController()
      const reading = collect(store, 0, 1, stop)
      stop.abort()
      expect(await reading).toEqual([])
    })

    it('has an identity that stays', async () => {
      const { open } = await start()
      const store = await open()
      await store.append('incident-x', 'none', [decision('IncidentOpened')])
      const identity = await store.identity()
      expect(identity).toBeTypeOf('string')
      expect(await (await open()).identity()).toBe(identity)
    })
  })
}

async function allOf(store: DecisionStore, after = 0): Promise<RecordedDecision[]> {
  const all: RecordedDecision[] = []
  for await (const { events } of store.readAll({ after, countMax: 100, follow: false })) all.push(...events)
  return all
}

async function collect(
  store: DecisionStore,
  after: number,
  count: number,
  { signal }: AbortController,
): Promise<RecordedDecision[]> {
  const all: RecordedDecision[] = []
  for await (const { events } of store.readAll({ after, countMax: 100, follow: true, signal })) {
    all.push(...events)
    if (all.length >= count) break
  }
  return all
}
