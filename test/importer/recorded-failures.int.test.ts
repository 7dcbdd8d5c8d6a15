import { describe, expect, it } from 'vitest'
import { ImportWorld } from '#test/importer/import-world.ts'
import { hasSamples, sample, samplePath } from '#test/importer/samples.ts'

const noShare = { numerator: 0n, denominator: 1n }

describe.skipIf(!hasSamples)('recorded streams that need care', () => {
  it('refuses a set with one signer of four and names the missing stake', async () => {
    const addressBook = sample('addressbook/test/test-v6-sidecar-4n.bin')
    const error = await new ImportWorld().failure(samplePath('hip679/provider-node-id'), { addressBook })
    expect(error).toMatchObject({ code: 'consensus_missing', details: { have: 1n, required: 2n, total: 4n } })
    expect(error.message).toMatch(
      /2022-07-13T08_46_08.041986003Z\.rcd\.gz: signed by 1 of 4 stake \(node 0\), 2 needed; no signature of nodes 1-3\./,
    )
  })

  it('refuses two files that are not neighbours', async () => {
    const addressBook = sample('addressbook/test/test-v6-4n.bin')
    const folder = samplePath('record/eth-0.26.0')
    const world = new ImportWorld()
    expect((await world.failure(folder, { addressBook })).code).toBe('consensus_missing')
    const error = await world.failure(folder, { addressBook, consensusRatio: noShare })
    expect(error.code).toBe('chain_broken')
    expect(error.message).toMatch(/2022-04-28T15_28_40.210859000Z.rcd of node 0.*bring the missing files/)
    expect(await world.blocks()).toHaveLength(1)
  })

  it('refuses files that the address book of another network cannot verify', async () => {
    const addressBook = sample('addressbook/bundled/mainnet')
    const error = await new ImportWorld().failure(samplePath('record/v6'), { addressBook })
    expect(error.code).toBe('signature_invalid')
  })

  it('goes over to the layout by node id where the old one ends', async () => {
    // Both layouts hold files of different networks here, so the second one needs its own book and a start date.
    const world = new ImportWorld()
    const folder = samplePath('hip679/provider-auto-transition')
    const addressBook = sample('addressbook/test/test-v6-sidecar-4n.bin')
    const error = await world.failure(folder, { addressBook, consensusRatio: noShare })
    expect(error).toMatchObject({ code: 'signature_invalid' })
    expect(error.message).toContain('2022-12-25T09_14_26.072307770Z')
    expect((await world.blocks()).map(({ number }) => number)).toEqual([5n, 6n])
    const other = new ImportWorld()
    await other.import(folder, {
      addressBook: sample('addressbook/bundled/demo'),
      consensusRatio: noShare,
      startTime: 1_660_000_000_000_000_000n,
      sidecarTypes: new Set([1, 2, 3]),
    })
    expect((await other.blocks()).map(({ number, count }) => [number, count])).toEqual([
      [205_327n, 6n],
      [205_328n, 4n],
    ])
  })
})
