import { afterEach, describe, expect, it } from 'vitest'
import { type ContentStore, contentHashOf } from '#src/ports/content-store.ts'

export interface ContentStoreFixture {
  /** Another handle on the same store. */
  open(): Promise<ContentStore>
  dispose(): Promise<void>
}

/** Every adapter of ContentStore passes this suite unchanged. */
export function describeContentStore(name: string, createFixture: () => Promise<ContentStoreFixture>): void {
  describe(`${name} as a content store`, () => {
    let fixture: ContentStoreFixture | undefined
    const start = async (): Promise<ContentStoreFixture> => {
      fixture = await createFixture()
      return fixture
    }
    afterEach(async () => {
      await fixture?.dispose()
      fixture = undefined
    })

    it('has nothing at first', async () => {
      const store = await (await start()).open()
      expect(await store.get([contentHashOf('a')])).toEqual(new Map())
      expect(await store.get([])).toEqual(new Map())
      await store.put([])
    })

    it('gives back what was put, by its hash, through any handle', async () => {
      const started = await start()
      const texts = ['', 'contract A {}', '\u0000 \u{1f600} \ufeffé', 'x'.repeat(3_000_000)]
      await (await started.open()).put(texts)
      const found = await (await started.open()).get([...texts.map(contentHashOf), contentHashOf('other')])
      expect(found).toEqual(new Map(texts.map((text) => [contentHashOf(text), text])))
    })

    it('has a text once, however often and by how many it is put', async () => {
      const started = await start()
      const stores = await Promise.all([started.open(), started.open()])
      await Promise.all(stores.map((store) => store.put(['a', 'b', 'a'])))
      expect((await stores[0]!.get([contentHashOf('a'), contentHashOf('a')])).size).toBe(1)
    })
  })
}
