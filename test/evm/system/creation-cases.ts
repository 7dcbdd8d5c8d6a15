import type { AbiValue } from '#src/evm/abi/types.ts'
import { longZeroOf } from '#src/evm/addresses.ts'
import type { SystemCase, SystemStep } from '#test/evm/system/cases.ts'
import { art, coin, newEntity, nobody, runner, seenAs, treasury } from '#test/evm/system/world.ts'

const hts = 359n
const ok = 22n
const none = new Uint8Array(0)
const hbars = 8_000_000_000n
const at = (id: bigint) => longZeroOf(id)
const later = 1_900_000_000n
const key: AbiValue = [1n | 16n, [false, seenAs(runner), none, none, nobody]]

/** A definition of a token, the same in all versions of the type. */
const definition = (name: string, holder: bigint): AbiValue => [
  ...[name, 'SYM', seenAs(holder), 'memo', true, 500n, false, [key]],
  [later, seenAs(runner), 8_000_000n],
]
const fixed: AbiValue = [[3n, nobody, true, false, seenAs(runner)]]
const fractional: AbiValue = [[1n, 10n, 0n, 0n, false, seenAs(runner)]]
const royalty: AbiValue = [[1n, 10n, 0n, nobody, false, seenAs(runner)]]

const called = (signature: string, args: readonly AbiValue[], returns: string, expected: readonly AbiValue[]) => ({
  ...{ to: hts, signature, args, returns, expected },
})

/** Makes a token, which then has its name. */
function creation(signature: string, args: readonly AbiValue[], told: readonly SystemStep[] = []): SystemCase {
  const step = called(signature, [definition('Made', runner), ...args], '(int64,address)', [ok, at(newEntity)])
  const name = { ...called('name()', [], '(string)', ['Made']), to: newEntity }
  return { name: `a token is made: ${signature}`, steps: [{ ...step, value: hbars }, name, ...told] }
}

const hasFees = (fees: readonly [AbiValue, AbiValue, AbiValue]) =>
  called('getTokenCustomFees(address)', [at(newEntity)], '(int32,FixedFee[],FractionalFee[],RoyaltyFee[])', [
    ok,
    ...fees,
  ])
const shownFixed: AbiValue = [[3n, nobody, true, false, at(runner)]]
const shownFractional: AbiValue = [[1n, 10n, 0n, 0n, false, at(runner)]]
const shownRoyalty: AbiValue = [[1n, 10n, 0n, nobody, false, at(runner)]]
const ofFungible = [hasFees([shownFixed, shownFractional, []])]
const ofUnique = [hasFees([shownFixed, [], shownRoyalty])]

/** Changes what a token says of itself. */
function update(signature: string): SystemCase {
  const step = called(signature, [at(coin), definition('Renamed', treasury)], '(int64)', [ok])
  const name = { ...called('name()', [], '(string)', ['Renamed']), to: coin }
  const moved = { ...called('balanceOf(address)', [at(treasury)], '(uint256)', [900n]), to: coin }
  return { name: `a token is changed: ${signature}`, steps: [step, name, moved] }
}

const owner = (serial: bigint, account: bigint): SystemStep => ({
  ...called('ownerOf(uint256)', [serial], '(address)', [seenAs(account)]),
  to: art,
})

/** Versions of what makes and changes tokens. */
export const creationCases: readonly SystemCase[] = [
  creation('createFungibleToken(Token1,uint256,uint256)', [500n, 2n]),
  creation('createFungibleToken(Token2,uint64,uint32)', [500n, 2n]),
  creation(
    'createFungibleTokenWithCustomFees(Token1,uint256,uint256,FixedFee[],FractionalFee[])',
    [500n, 2n, fixed, fractional],
    ofFungible,
  ),
  creation(
    'createFungibleTokenWithCustomFees(Token2,uint64,uint32,FixedFee[],FractionalFee[])',
    [500n, 2n, fixed, fractional],
    ofFungible,
  ),
  creation('createNonFungibleToken(Token1)', []),
  creation('createNonFungibleToken(Token2)', []),
  ...[
    'createNonFungibleTokenWithCustomFees(Token1,FixedFee[],RoyaltyFee[])',
    'createNonFungibleTokenWithCustomFees(Token2,FixedFee[],RoyaltyFee[])',
    'createNonFungibleTokenWithCustomFees(Token3,FixedFee64[],RoyaltyFee64[])',
  ].map((signature) => creation(signature, [fixed, royalty], ofUnique)),
  ...['Token1', 'Token2', 'Token3'].map((version) => update(`updateTokenInfo(address,${version})`)),
  {
    name: 'a token expires at another time, and somebody else pays for it',
    steps: [
      called('updateTokenExpiryInfo(address,Expiry32)', [at(coin), [later, at(treasury), 7_000_000n]], '(int64)', [ok]),
      called('getTokenExpiryInfo(address)', [at(coin)], '(int32,Expiry64)', [ok, [later, at(treasury), 7_000_000n]]),
    ],
  },
  {
    name: 'NFTs get other fees',
    steps: [
      called(
        'updateNonFungibleTokenCustomFees(address,FixedFee64[],RoyaltyFee64[])',
        [at(art), fixed, royalty],
        '(int64)',
        [ok],
      ),
      { ...ofUnique[0]!, args: [at(art)] },
    ],
  },
  {
    name: 'a new treasury has the NFTs of the old one, and what is received later stays with who receives it',
    steps: [
      called('updateTokenInfo(address,Token3)', [at(art), definition('Art', treasury)], '(int64)', [ok]),
      owner(1n, treasury),
      owner(2n, 1_002n),
      { ...called('getApproved(uint256)', [1n], '(address)', [nobody]), to: art },
      called('transferNFT(address,address,address,int64)', [at(art), at(treasury), seenAs(runner), 1n], '(int64)', [
        ok,
      ]),
      owner(1n, runner),
      owner(3n, treasury),
    ],
  },
]
