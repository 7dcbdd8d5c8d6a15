import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccountChange, paymentsOf } from '#src/domain/fungible-pairs.ts'

const letters = 'ABCDEFGH'
const accountOf = (letter: string): bigint => 1_001n + BigInt(letters.indexOf(letter))
const nameOf = (account: bigint): string => letters[Number(account - 1_001n)] ?? '?'

/** `A+1000, B-400`, as the worked examples are written. */
function changesOf(text: string): AccountChange[] {
  return text.split(', ').map((entry) => ({ accountId: accountOf(entry[0]!), amount: BigInt(entry.slice(1)) }))
}

const written = (changes: readonly AccountChange[]): string =>
  paymentsOf(changes)
    .map(({ sender, receiver, amount }) => `${nameOf(sender)}->${nameOf(receiver)} ${amount}`)
    .join(', ')

/** Up to twenty accounts, each once, whose amounts add up to nothing. */
const balanced = fc
  .uniqueArray(
    fc.record({
      accountId: fc.bigInt({ min: 1n, max: 9_999n }),
      amount: fc.bigInt({ min: -1_000_000n, max: 1_000_000n }),
    }),
    { selector: ({ accountId }) => accountId, minLength: 1, maxLength: 19 },
  )
  .map((changes) => {
    const sum = changes.reduce((total, { amount }) => total + amount, 0n)
    return [...changes, { accountId: 10_000n, amount: -sum }]
  })

describe('a list of what accounts gained and lost', () => {
  it.each([
    ['A+1000, B-400, C-600', 'C->A 600, B->A 400'],
    ['A-1000, B+400, C+600', 'A->C 600, A->B 400'],
    ['A+400, B-400, C+300, D-300', 'B->A 400, D->C 300'],
    ['A+400, B-400, C+400, D-400', 'B->A 400, D->C 400'],
    ['A+1000, B-400, C-600, D+500, E+400, F-800, G-100', 'F->A 800, C->A 200, C->D 400, B->D 100, B->E 300, G->E 100'],
    [
      'A+900, B-300, C-400, D+600, E+400, F-800, G-450, H+50',
      'F->A 800, G->A 100, G->D 350, C->D 250, C->E 150, B->E 250, B->H 50',
    ],
    [
      'A+1000, B-1400, C+1000, D-100, E-900, F-600, G+1000',
      'B->A 1000, B->C 400, E->C 600, E->G 300, F->G 600, D->G 100',
    ],
    ['A-500, B+300', 'A->B 300'],
    ['A-500', ''],
    ['A+500', ''],
    ['A+0, B+5', 'A->B 0'],
    ['A-5, B+0, C+5', 'A->C 5'],
  ])('%s is the payments %s', (list, payments) => {
    expect(written(changesOf(list))).toBe(payments)
  })

  it('is conserved: every account pays and gets what it lost and gained', () => {
    fc.assert(
      fc.property(balanced, (changes) => {
        const net = new Map<bigint, bigint>()
        const add = (account: bigint, amount: bigint) => net.set(account, (net.get(account) ?? 0n) + amount)
        for (const { sender, receiver, amount } of paymentsOf(changes)) {
          expect(amount).toBeGreaterThanOrEqual(0n)
          add(sender, -amount)
          add(receiver, amount)
        }
        for (const { accountId, amount } of changes) expect(net.get(accountId) ?? 0n).toBe(amount)
      }),
    )
  })

  it('takes fewer payments than there are parties', () => {
    fc.assert(
      fc.property(balanced, (changes) => {
        expect(paymentsOf(changes).length).toBeLessThanOrEqual(changes.length - 1)
      }),
    )
  })

  it('gives the same payments in whatever order it comes', () => {
    const shuffled = balanced.chain((changes) =>
      fc.tuple(fc.constant(changes), fc.shuffledSubarray(changes, { minLength: changes.length })),
    )
    fc.assert(
      fc.property(shuffled, ([changes, others]) => {
        expect(paymentsOf(others)).toEqual(paymentsOf(changes))
      }),
    )
  })

  it('orders equal amounts by shard, realm and number, also where an id is negative', () => {
    const ofShard1000 = BigInt.asIntN(64, 1000n << 54n)
    const payments = paymentsOf([
      { accountId: ofShard1000, amount: -5n },
      { accountId: 7n, amount: -5n },
      { accountId: 8n, amount: 10n },
    ])
    expect(payments.map(({ sender }) => sender)).toEqual([7n, ofShard1000])
  })
})
