import { describe, expect, it } from 'vitest'
import { BlockTotals } from '#src/importer/decode/block-totals.ts'
import { account, eventsOf, item } from './items.ts'

function totalsOf(items: Parameters<typeof eventsOf>[0]): BlockTotals {
  const totals = new BlockTotals()
  for (const event of eventsOf(items)) totals.add(event)
  return totals
}

const bloom = (bit: number) => {
  const bytes = Buffer.alloc(256)
  bytes[bit] = 1
  return bytes
}
const call = (gasUsed: number, filter: Buffer) => ({ contractCallResult: { gasUsed, bloom: filter } })

describe('gas and log filter of a block', () => {
  it('are those of its top-level transactions', () => {
    const { gasUsed, logsBloom } = totalsOf([
      item({ at: 1, record: call(10, bloom(0)) }),
      item({ at: 2, parent: 1, nonce: 1, record: call(5, bloom(1)) }),
      item({ at: 3, nonce: 1, record: call(7, bloom(2)) }),
      item({
        at: 4,
        parent: 1,
        nonce: 2,
        payer: account(50),
        body: { fileUpdate: {} },
        record: call(1, Buffer.alloc(256)),
      }),
    ])

    expect(gasUsed).toBe(18n)
    expect([...logsBloom.entries()].filter(([, byte]) => byte !== 0)).toEqual([
      [0, 1],
      [2, 1],
    ])
  })

  it('are 0 and empty without contract results', () => {
    expect(totalsOf([item()])).toMatchObject({ gasUsed: 0n, logsBloom: Buffer.alloc(0) })
  })
})
