import type { AbiValue } from '#src/evm/abi/types.ts'
import { longZeroOf } from '#src/evm/addresses.ts'
import { gasPriceTinybars, tinycents } from '#src/evm/gas-price.ts'
import type { ScheduledFacts } from '#src/evm/schedule-facts.ts'
import { accountAt } from '#src/evm/services/accounts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { Failed, Halted, must } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import {
  assertTexts,
  feesOfTuples,
  keysOfTuples,
  nobody,
  type TokenDefinition,
} from '#src/evm/services/token/definition.ts'
import { ledgerAmount } from '#src/evm/services/token/erc-changes.ts'
import { hasKey } from '#src/evm/services/token/relations.ts'
import { addHbar } from '#src/evm/services/token/transfer-hbar.ts'
import type { TokenFacts, TokenKeys } from '#src/evm/token-facts.ts'

/** The rest of what a creation costs is paid with the hbar that is sent along. */
const gas = 100_000n
const usd = { plain: 1, withFees: 2 } as const
const autoRenewSeconds = 7_776_000n
const noSupply: Supply = { initial: 0n, decimals: 0n }
const maxDecimals = 2n ** 31n - 1n
const noKeys: TokenKeys = {
  ...{ admin: null, kyc: null, freeze: null, wipe: null, supply: null },
  ...{ feeSchedule: null, pause: null, metadata: null },
}

interface Supply {
  readonly initial: bigint
  readonly decimals: bigint
}

type FeeTuples = Parameters<typeof feesOfTuples>[2]

/** What the first argument says, and who and what it names. */
interface Definition {
  readonly tuple: TokenDefinition
  readonly treasury: bigint
  readonly keys: TokenKeys
}

/** Who is to hold it has to be there, and keys to be keys, before it is a transaction at all. */
async function definitionOf(call: ServiceCall): Promise<Definition> {
  const tuple = call.args[0] as unknown as TokenDefinition
  const treasury = await accountAt(call.world, tuple[2])
  if (treasury === undefined) throw new Halted()
  return { tuple, treasury, keys: { ...noKeys, ...(await keysOfTuples(call, tuple[7])) } }
}

/** Makes a token, whose treasury has all of it. Undefined supply makes one of NFTs. */
async function create(call: ServiceCall, supply: Supply | undefined, fees: FeeTuples): Promise<readonly AbiValue[]> {
  call.gas = gas
  const definition = await definitionOf(call)
  await pay(call, Object.values(fees).some((each) => each.length > 0) ? usd.withFees : usd.plain)
  assertDefinition(definition, supply)
  const id = await call.world.addEntity('token', null)
  const { timestamp } = await call.evm.ledger.block()
  const [second, , period] = definition.tuple[8]
  must(second === 0n || second > timestamp, 'INVALID_EXPIRATION_TIME')
  const token = await tokenOf(call, definition, supply)
  const expirySeconds = second === 0n ? timestamp + (period === 0n ? autoRenewSeconds : period) : second
  call.tokens.setToken(id, { ...token, id, expirySeconds, fees: await feesOfTuples(call, id, fees) })
  const { treasury, totalSupply: balance } = token
  call.tokens.setRelation(id, treasury, { balance, isFrozen: false, isKycGranted: true, isAutomatic: false })
  call.tokens.setLastSerial(id, 0n)
  return [success, longZeroOf(id)]
}

function assertDefinition({ tuple, keys }: Definition, supply: Supply | undefined): void {
  const [name, symbol, , , hasMaxSupply, maxSupply, freezeDefault] = tuple
  must(symbol !== '', 'MISSING_TOKEN_SYMBOL')
  must(name !== '', 'MISSING_TOKEN_NAME')
  assertTexts(name, symbol)
  const { initial, decimals } = supply ?? noSupply
  must(initial >= 0n, 'INVALID_TOKEN_INITIAL_SUPPLY')
  must(decimals >= 0n && decimals <= maxDecimals, 'INVALID_TOKEN_DECIMALS')
  must(!hasMaxSupply || maxSupply > 0n, 'INVALID_TOKEN_MAX_SUPPLY')
  must(hasMaxSupply || maxSupply === 0n, 'INVALID_TOKEN_MAX_SUPPLY')
  must(!hasMaxSupply || initial <= maxSupply, 'INVALID_TOKEN_INITIAL_SUPPLY')
  must(supply !== undefined || hasKey(keys.supply), 'TOKEN_HAS_NO_SUPPLY_KEY')
  must(!freezeDefault || hasKey(keys.freeze), 'TOKEN_HAS_NO_FREEZE_KEY')
}

/** The token that is asked for, without a number and fees; it expires when that is asked. */
async function tokenOf(
  call: ServiceCall,
  { tuple, treasury, keys }: Definition,
  supply: Supply | undefined,
): Promise<TokenFacts> {
  const [name, symbol, , memo, hasMaxSupply, maxSupply, freezeDefault, , expiry] = tuple
  const [expirySeconds, autoRenewAddress, autoRenewSeconds] = expiry
  const { initial, decimals } = supply ?? noSupply
  return {
    ...{ id: 0n, name, symbol, memo, decimals, treasury, freezeDefault, keys, hasMaxSupply, maxSupply },
    ...{ expirySeconds, autoRenewSeconds },
    autoRenewAccount: await autoRenewing(call, autoRenewAddress),
    isNft: supply === undefined,
    totalSupply: ledgerAmount(initial),
    kycDefault: false,
    isPaused: false,
    metadata: new Uint8Array(0),
    fees: { fixed: [], fractional: [], royalty: [] },
  }
}

/** The same where a schedule is to make it: nothing is looked at before it does. */
async function scheduledCreation(
  call: ServiceCall,
  supply: Supply | undefined,
  fees: FeeTuples,
): Promise<ScheduledFacts> {
  const token = await tokenOf(call, await definitionOf(call), supply)
  const { treasury, autoRenewAccount, keys } = token
  return {
    kind: 'tokenCreation',
    gas: 0n,
    token: { ...token, fees: await feesOfTuples(call, 0n, fees) },
    signers: {
      accounts: autoRenewAccount === 0n ? [treasury] : [treasury, autoRenewAccount],
      keys: keys.admin === null ? [] : [keys.admin],
      tokenKeys: [],
    },
  }
}

async function autoRenewing(call: ServiceCall, address: TokenDefinition[2]): Promise<bigint> {
  if (address === nobody) return 0n
  const account = await accountAt(call.world, address)
  must(account !== undefined, 'INVALID_AUTORENEW_ACCOUNT')
  return account
}

/** What is sent beyond the price stays with who sent it. */
async function pay(call: ServiceCall, price: number): Promise<void> {
  const prices = await call.evm.ledger.prices()
  const fee = (tinycents(price) * prices.hbars) / prices.cents
  const due = fee + fee / 5n - gas * gasPriceTinybars(prices)
  if (call.message.value < due) throw new Failed('INSUFFICIENT_TX_FEE', { shape: 'told' })
  await addHbar(call, call.sender, -due, 'INSUFFICIENT_PAYER_BALANCE')
}

const fungible = (call: ServiceCall): Supply => ({ initial: call.bigint(1), decimals: call.bigint(2) })
const unique = (): undefined => undefined

function creating(
  signature: string,
  supplyOf: (call: ServiceCall) => Supply | undefined,
  feesOf: (call: ServiceCall) => FeeTuples = () => ({}),
): FunctionEntry {
  return change(signature, '(int64,address)', 0, (call) => create(call, supplyOf(call), feesOf(call)), {
    failure: 'name',
    isPayable: true,
    scheduled: (call) => scheduledCreation(call, supplyOf(call), feesOf(call)),
  })
}

/** What makes a token; the definition came in versions. */
export const creationFunctions: readonly FunctionEntry[] = [
  ...['Token1,uint256,uint256', 'Token2,uint64,uint32', 'Token3,int64,int32'].map((inputs) =>
    creating(`createFungibleToken(${inputs})`, fungible),
  ),
  ...[
    'Token1,uint256,uint256,FixedFee[],FractionalFee[]',
    'Token2,uint64,uint32,FixedFee[],FractionalFee[]',
    'Token3,int64,int32,FixedFee64[],FractionalFee64[]',
  ].map((inputs) =>
    creating(`createFungibleTokenWithCustomFees(${inputs})`, fungible, (call) => ({
      fixed: call.list(3),
      fractional: call.list(4),
    })),
  ),
  ...['Token1', 'Token2', 'Token3'].map((inputs) => creating(`createNonFungibleToken(${inputs})`, unique)),
  ...['Token1,FixedFee[],RoyaltyFee[]', 'Token2,FixedFee[],RoyaltyFee[]', 'Token3,FixedFee64[],RoyaltyFee64[]'].map(
    (inputs) =>
      creating(`createNonFungibleTokenWithCustomFees(${inputs})`, unique, (call) => ({
        fixed: call.list(1),
        royalty: call.list(2),
      })),
  ),
]
