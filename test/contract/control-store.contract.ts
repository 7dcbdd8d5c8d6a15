import { afterEach, describe, expect, it } from 'vitest'
import type { ControlStore } from '#src/ports/control-store.ts'

export interface ControlStoreFixture {
  /** Another handle on the same store. */
  open(): Promise<ControlStore>
  dispose(): Promise<void>
}

export interface ControlStoreSuite {
  /** Why several writers at the same moment are not tried, where the engine itself does not keep them apart. */
  readonly oneWriterOnly?: string | undefined
}

/** Every adapter of ControlStore passes this suite unchanged. */
export function describeControlStore(
  name: string,
  createFixture: () => Promise<ControlStoreFixture>,
  { oneWriterOnly }: ControlStoreSuite = {},
): void {
  describe(`${name} as a control store`, () => {
    let fixture: ControlStoreFixture | undefined
    const start = async (): Promise<ControlStoreFixture> => {
      fixture = await createFixture()
      return fixture
    }
    afterEach(async () => {
      await fixture?.dispose()
      fixture = undefined
    })

    it('has nothing at first', async () => {
      const store = await (await start()).open()
      expect(await store.get('plan')).toBeUndefined()
      expect(await store.list('')).toEqual([])
      await store.remove('plan')
    })

    it('creates a document with revision 1 and counts its replacements', async () => {
      const store = await (await start()).open()
      expect(await store.put('plan', '{"a":1}', 0)).toBe(true)
      expect(await store.get('plan')).toEqual({ name: 'plan', revision: 1, text: '{"a":1}' })
      expect(await store.put('plan', '{"a":2}', 1)).toBe(true)
      expect(await store.put('plan', '{"a":2}', 2)).toBe(true)
      expect(await store.get('plan')).toEqual({ name: 'plan', revision: 3, text: '{"a":2}' })
    })

    it('changes nothing when another process was faster', async () => {
      const store = await (await start()).open()
      await store.put('plan', 'first', 0)
      expect(await store.put('plan', 'second', 0)).toBe(false)
      expect(await store.put('plan', 'second', 2)).toBe(false)
      expect(await store.put('absent', 'second', 1)).toBe(false)
      expect(await store.get('plan')).toEqual({ name: 'plan', revision: 1, text: 'first' })
      expect(await store.get('absent')).toBeUndefined()
    })

    const skipped = oneWriterOnly === undefined ? '' : ` (skipped: ${oneWriterOnly})`
    it.skipIf(oneWriterOnly)(`lets one of many win each revision, from several handles${skipped}`, async () => {
      const { open } = await start()
      const handles = [await open(), await open(), await open()]
      for (let revision = 0; revision < 5; revision++) {
        const attempts = Array.from({ length: 9 }, (_, index) =>
          handles[index % handles.length]?.put('plan', `${revision}/${index}`, revision),
        )
        const won = (await Promise.all(attempts)).flatMap((success, index) => (success ? [index] : []))
        expect(won).toHaveLength(1)
        for (const handle of handles) {
          expect(await handle.get('plan')).toEqual({
            name: 'plan',
            revision: revision + 1,
            text: `${revision}/${won[0]}`,
          })
        }
      }
    })

    it('lists documents whose name begins so, in the order of their names', async () => {
      const store = await (await start()).open()
      for (const name of ['process/b', 'process/a', 'process', 'plan', 'process/a/x', 'process0', 'Process/c', 'a%_*.'])
        await store.put(name, `text of ${name}`, 0)
      const names = async (prefix: string) => (await store.list(prefix)).map((each) => each.name)
      expect(await names('process/')).toEqual(['process/a', 'process/a/x', 'process/b'])
      expect(await names('process')).toEqual(['process', 'process/a', 'process/a/x', 'process/b', 'process0'])
      expect(await names('')).toHaveLength(8)
      expect(await names('%')).toEqual([])
      expect(await names('a%_*.')).toEqual(['a%_*.'])
      expect((await store.list('plan'))[0]).toEqual({ name: 'plan', revision: 1, text: 'text of plan' })
    })

    it('removes documents whatever their revision, so that they can be created anew', async () => {
      const store = await (await start()).open()
      await store.put('process/a', 'one', 0)
      await store.put('process/a', 'two', 1)
      await store.put('process/b', 'other', 0)
      await store.remove('process/a')
      expect((await store.list('process/')).map((each) => each.name)).toEqual(['process/b'])
      expect(await store.put('process/a', 'three', 2)).toBe(false)
      expect(await store.put('process/a', 'three', 0)).toBe(true)
      expect((await store.get('process/a'))?.revision).toBe(1)
    })

    it('keeps texts exactly, small and large, also for another handle', async () => {
      const { open } = await start()
      const text = JSON.stringify({
        unicode: 'é 漢字 😀 \u0000',
        long: 'x'.repeat(200_000),
        nested: [{ quoted: '"\\' }],
      })
      const store = await open()
      await store.put('plan', text, 0)
      await store.put('empty', '', 0)
      const again = await open()
      expect(await again.get('plan')).toEqual({ name: 'plan', revision: 1, text })
      expect((await again.get('empty'))?.text).toBe('')
    })
  })
}
