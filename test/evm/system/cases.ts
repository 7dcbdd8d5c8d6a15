import type { AbiValue } from '#src/evm/abi/types.ts'
import { longZeroOf } from '#src/evm/addresses.ts'
import { creationCases } from '#test/evm/system/creation-cases.ts'
import { scheduleCases } from '#test/evm/system/schedule-cases.ts'
import { alice, art, bob, coin, far, other, runner, seenAs, treasury } from '#test/evm/system/world.ts'

/** A function that is called, and what it returns. Types may have the names that the services have for them. */
export interface SystemStep {
  /** Number of what is called. */
  readonly to: bigint
  readonly signature: string
  readonly args: readonly AbiValue[]
  readonly returns: string
  readonly expected: readonly AbiValue[]
  /** tinybar. */
  readonly value?: bigint
}

export interface SystemCase {
  readonly name: string
  /** What one transaction does. Who does it is the contract with all keys. */
  readonly steps: readonly SystemStep[]
  /** Alice does the one step herself. */
  readonly isOwn?: boolean
}

const hts = 359n
const ok = 22n
const at = (id: bigint) => longZeroOf(id)

/** A step of the token service that succeeds. */
const does = (signature: string, args: readonly AbiValue[], more: readonly AbiValue[] = []): SystemStep => {
  const returns = more.length === 0 ? '(int64)' : `(int64,${more.map(() => 'int64').join()})`
  return { to: hts, signature, args, returns, expected: [ok, ...more] }
}

/** What is asked of the address of a token. */
const says = (token: bigint, signature: string, args: readonly AbiValue[], returns: string, expected: AbiValue) => ({
  ...{ to: token, signature, args, returns },
  expected: [expected],
})

const balance = (token: bigint, account: bigint, expected: bigint): SystemStep =>
  says(token, 'balanceOf(address)', [seenAs(account)], '(uint256)', expected)
const owner = (serial: bigint, account: bigint): SystemStep =>
  says(art, 'ownerOf(uint256)', [serial], '(address)', seenAs(account))
const facade = (token: bigint, signature: string, args: readonly AbiValue[]): SystemStep => ({
  ...{ to: token, signature, args, returns: '(int64)' },
  expected: [ok],
})

/** Functions of the services that no recorded vector calls, and what goes beyond one call. */
export const systemCases: readonly SystemCase[] = [
  {
    name: 'tokens move between several accounts',
    steps: [
      does('transferTokens(address,address[],int64[])', [
        at(coin),
        [seenAs(runner), seenAs(bob), at(treasury)],
        [-30n, 20n, 10n],
      ]),
      balance(coin, bob, 120n),
      balance(coin, treasury, 17n - 7n),
    ],
  },
  {
    name: 'the treasury burns an unsigned amount',
    steps: [
      does('burnToken(address,uint64,int64[])', [at(coin), 100n, []], [900n]),
      says(coin, 'totalSupply()', [], '(uint256)', 900n),
    ],
  },
  {
    name: 'an account loses a short amount',
    steps: [does('wipeTokenAccount(address,address,uint32)', [at(coin), seenAs(bob), 40n]), balance(coin, bob, 60n)],
  },
  {
    name: 'an account may not use a token any more',
    steps: [
      does('revokeTokenKyc(address,address)', [at(coin), seenAs(bob)]),
      { ...does('isKyc(address,address)', [at(coin), seenAs(bob)]), returns: '(int64,bool)', expected: [ok, false] },
      {
        ...does('transferToken(address,address,address,int64)', [at(coin), seenAs(runner), seenAs(bob), 1n]),
        expected: [176n],
      },
    ],
  },
  {
    name: 'an account is associated with several tokens',
    steps: [
      does('associateTokens(address,address[])', [seenAs(runner), [at(far)]]),
      says(far, 'isAssociated()', [], '(bool)', true),
    ],
  },
  {
    name: 'what was sent is claimed',
    steps: [facade(other, 'claimAirdropFT(address)', [at(treasury)]), balance(other, runner, 5n)],
  },
  {
    name: 'an NFT that was sent is claimed',
    steps: [facade(art, 'claimAirdropNFT(address,int64)', [seenAs(bob), 2n]), owner(2n, runner)],
  },
  {
    name: 'what was sent is taken back',
    steps: [
      facade(coin, 'cancelAirdropFT(address)', [at(treasury)]),
      { ...facade(coin, 'cancelAirdropFT(address)', [at(treasury)]), expected: [367n] },
    ],
  },
  {
    name: 'an NFT that was sent is taken back',
    steps: [
      facade(art, 'cancelAirdropNFT(address,int64)', [at(treasury), 3n]),
      { ...facade(art, 'cancelAirdropNFT(address,int64)', [at(treasury), 3n]), expected: [367n] },
    ],
  },
  {
    name: 'an account allows another one some of its hbar',
    isOwn: true,
    steps: [facade(alice, 'hbarApprove(address,int256)', [seenAs(bob), 7n])],
  },
  ...creationCases,
  ...scheduleCases,
]
