import { expect, it } from 'vitest'
import { allProjections } from '#projections/index.ts'
import { runProjections } from '#src/runtime/fold/projector.ts'
import { ImportWorld } from '#test/importer/import-world.ts'
import { hasSamples, sample, samplePath } from '#test/importer/samples.ts'
import { differences } from '#test/oracle/compare-runs.ts'
import { type Replayed, replayRoute } from '#test/oracle/replay-route.ts'
import { asking, type Json, openApp } from '#test/oracle/simulated-ledger.ts'

/** Folders of files with contracts and sidecars, of mainnet and of a test network, and the address books that verify them. */
const folders = [
  ['record/mainnet-v6', 'record/mainnet-v6/address_book.bin'],
  ['record/v6', 'addressbook/test/test-v6-sidecar-4n.bin'],
] as const
const sidecarTypes = new Set([1, 2, 3])
const timeoutMs = 120_000

it.skipIf(!hasSamples).each(folders)(
  '%s: what ran does again what it did, as far as the state before it is known',
  async (folder, book) => {
    const world = new ImportWorld()
    await world.import(samplePath(folder), { addressBook: sample(book), sidecarTypes })
    const { log, store } = world
    await runProjections({ log, store, projections: allProjections, follow: false, strict: true })
    const app = await openApp(world, () => Date.parse('2026-01-01'), [replayRoute])
    const { ask, list } = asking(app)
    const missing = new Map<string, number>()
    const counts = { runs: 0, equal: 0 }
    const differing: unknown[] = []
    for (const { hash } of await list('/contracts/results?limit=100&order=asc', 'results')) {
      const answer = await app.inject(`/api/v1/replays/${hash}`)
      counts.runs += 1
      if (answer.statusCode !== 200) {
        const reason = reasonOf(answer.json())
        missing.set(reason, (missing.get(reason) ?? 0) + 1)
        continue
      }
      const again: Replayed = answer.json()
      const result = await ask(`/contracts/results/${hash}`, 200, 206)
      const actions = await list(`/contracts/results/${hash}/actions?limit=100`, 'actions')
      const differs = differences(
        { result, actions, isToken: () => false, numbered: (address) => address },
        { ...again, gasUsed: charged(again) },
      )
      if (differs.length === 0) counts.equal += 1
      else differing.push({ hash, differs })
    }
    await app.close()
    await store.close()
    await log.close()
    const unknown = [...missing.values()].reduce((sum, count) => sum + count, 0)
    console.info(
      `${folder}: ${counts.runs} runs, ${counts.equal} equal, ${unknown} on a state that is not known`,
      missing,
    )
    expect(differing).toEqual([])
  },
  timeoutMs,
)

const shareCharged = 5n

/** The network charges four fifths of the limit at least. */
function charged({ gasUsed, gasLimit }: Replayed): string {
  const least = BigInt(gasLimit) - BigInt(gasLimit) / shareCharged
  return String(BigInt(gasUsed) > least ? BigInt(gasUsed) : least)
}

/** Numbers aside: what kind of fact the log lacks. */
function reasonOf({ _status: { messages } }: Json): string {
  return `${messages[0].detail || messages[0].message}`.replaceAll(/\d[\d.]*/g, 'n')
}
