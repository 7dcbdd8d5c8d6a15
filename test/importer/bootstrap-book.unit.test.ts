import { describe, expect, it } from 'vitest'
import { chooseBookFile } from '#src/importer/bootstrap-book.ts'

describe('the address book to begin with', () => {
  const names = ['mainnet', 'testnet', 'testnet-200', 'testnet-100', 'testnet-x', 'testnetother-150']

  it.each([
    [50n, 'testnet'],
    [100n, 'testnet-100'],
    [199n, 'testnet-100'],
    [10_000n, 'testnet-200'],
  ])('at %i is %s', (at, expected) => {
    expect(chooseBookFile(names, 'testnet', at)).toBe(expected)
    expect(chooseBookFile(names, 'testnet-202402', at)).toBe(expected)
  })

  it('may not be there', () => {
    expect(chooseBookFile(names, 'previewnet', 1n)).toBeUndefined()
  })
})
