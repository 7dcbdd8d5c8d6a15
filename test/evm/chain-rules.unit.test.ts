import { createHash } from 'node:crypto'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import { expect, it } from 'vitest'
import { rulesOf } from '#src/evm/rules.ts'
import { runCall } from '#src/evm/run-call.ts'
import { noTokens } from '#test/evm/stated-tokens.ts'
import { vectorState } from '#test/evm/vector-state.ts'

const ledger = vectorState({
  block: { number: 1, timestamp: 1, hash: `0x${'ab'.repeat(48)}`, hashes: {} },
  nextEntity: 10_000,
  accounts: [{ id: 2, type: 'ACCOUNT', balance: '4000000000000000000' }],
  ...noTokens,
  schedules: [],
})

/** What Ethereum's ceremony commits to the polynomial x with: `g1_monomial[1]` of its trusted setup. */
const commitment = Buffer.from(
  'ad3eb50121139aa34db1d545093ac9374ab7bca2c0f3bf28e27c8dcd8fc7cb42d25926fc0c97b336e9f0fb35e5a04c81',
  'hex',
)
/** The quotient (x - z) / (x - z) is 1 wherever it is opened. */
const proof = Buffer.from(bls12_381.G1.Point.BASE.toBytes(true))

const word = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const versionedHash = Buffer.concat([Buffer.from([1]), createHash('sha256').update(commitment).digest().subarray(1)])

function evaluate(data: Buffer, version = '0.77') {
  const request = {
    from: undefined,
    to: `0x${'0a'.padStart(40, '0')}`,
    data,
    gas: 1_000_000n,
    gasPrice: 0n,
    value: 0n,
  } as const
  return runCall(request, ledger, { rules: rulesOf(version)!, chainId: 296, validatePayerBalance: false })
}

const opening = (z: bigint, y: bigint, hash = versionedHash): Buffer =>
  Buffer.concat([hash, word(z), word(y), commitment, proof])

const order = bls12_381.fields.Fr.ORDER

it.each([0n, 1n, 12_345n, order - 1n])('a polynomial is told to be what it is at %s', async (z) => {
  const { response, output } = await evaluate(opening(z, z))
  expect([response, Buffer.from(output)]).toEqual(['SUCCESS', Buffer.concat([word(4_096n), word(order)])])
})

it.each([
  ['another value', opening(5n, 6n)],
  ['a value beyond the field', opening(order, order)],
  ['the hash of another commitment', opening(5n, 5n, Buffer.concat([versionedHash.subarray(0, 31), Buffer.from([0])]))],
  ['a point that is none', Buffer.concat([opening(5n, 5n).subarray(0, 144), Buffer.alloc(48, 1)])],
  ['too little', opening(5n, 5n).subarray(1)],
  ['nothing', Buffer.alloc(0)],
])('of %s it takes all gas', async (_, data) => {
  expect(await evaluate(data)).toMatchObject({ response: 'CONTRACT_EXECUTION_EXCEPTION', gasUsed: 1_000_000n })
})

it('is built in since Cancun', async () => {
  expect(await evaluate(opening(5n, 6n), '0.46')).toMatchObject({ output: new Uint8Array(0) })
})
