import { type AbiTuple, type AbiValue, parseTuple, zeroOf } from '#src/evm/abi/types.ts'
import { longZeroOf, numberOf } from '#src/evm/addresses.ts'
import { accountAt, addressOfAccount } from '#src/evm/services/accounts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { Failed } from '#src/evm/services/failed.ts'
import { type FunctionEntry, view } from '#src/evm/services/function-table.ts'
import { keyValue, partsOfKey } from '#src/evm/services/keys.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { isOperator, nftOf, ownerAllowance } from '#src/evm/services/token/erc-views.ts'
import { expiryValue, feeValues, noTokenInfoValue, tokenInfoValue } from '#src/evm/services/token/token-values.ts'
import { type RelationFacts, type TokenFacts, type TokenKeyKind, tokenKeyBits } from '#src/evm/token-facts.ts'

const firstChain = 295
const nobody = longZeroOf(0n)
const none = new Uint8Array(0)
/** Keys that contracts know at this address; the one for metadata belongs to the second interface. */
const askedKeys = Object.entries(tokenKeyBits).filter(([kind]) => kind !== 'metadata') as [TokenKeyKind, bigint][]

/** The ledger's id as text: the main network is the first of the chains. */
export function ledgerIdOf({ evm }: ServiceCall): string {
  const number = Math.max(0, Number(evm.common.chainId()) - firstChain)
  return `0x${number.toString(16).padStart(2, '0')}`
}

/** The token that the first argument names; undefined where there is none. */
async function namedToken(call: ServiceCall): Promise<TokenFacts | undefined> {
  const number = numberOf(call.address(0))
  return number === undefined ? undefined : call.tokens.token(number)
}

/** The same where it has to be there: `values` stand behind the code otherwise. */
async function token(call: ServiceCall, values?: readonly AbiValue[]): Promise<TokenFacts> {
  const found = await namedToken(call)
  if (found === undefined) throw new Failed('INVALID_TOKEN_ID', values === undefined ? {} : { values })
  return found
}

async function nftInfo(call: ServiceCall): Promise<readonly AbiValue[]> {
  const ledgerId = ledgerIdOf(call)
  const serial = call.bigint(1)
  const found = await token(call, [[noTokenInfoValue(ledgerId), serial, nobody, 0n, none, nobody]])
  const info = tokenInfoValue(found, ledgerId)
  const nft = found.isNft ? await call.tokens.nft(found.id, serial) : undefined
  if (nft === undefined) {
    const values = [[info, serial, longZeroOf(found.treasury), 0n, none, nobody]]
    throw new Failed('INVALID_TOKEN_NFT_SERIAL_NUMBER', { values })
  }
  const { owner, spender, createdSeconds, metadata } = nft
  const [ownerAddress, spenderAddress] = await Promise.all([
    addressOfAccount(call.world, owner),
    addressOfAccount(call.world, spender),
  ])
  return [success, [info, serial, ownerAddress, createdSeconds, metadata, spenderAddress]]
}

async function tokenKey(call: ServiceCall): Promise<readonly AbiValue[]> {
  const { keys } = await token(call)
  const kind = askedKeys.find(([, bit]) => bit === call.bigint(1))?.[0]
  const key = kind === undefined ? null : keys[kind]
  if (partsOfKey(key) === undefined) throw new Failed('KEY_NOT_PROVIDED')
  return [success, keyValue(key)]
}

async function relation(call: ServiceCall): Promise<RelationFacts | undefined> {
  const { id } = await token(call)
  const account = await accountAt(call.world, call.address(1))
  if (account === undefined) throw new Failed('INVALID_ACCOUNT_ID')
  return call.tokens.relation(id, account)
}

async function customFees(call: ServiceCall): Promise<readonly AbiValue[]> {
  const found = await namedToken(call)
  if (found !== undefined) return [success, ...feeValues(found.fees)]
  // As the network has it: where nothing may change, a token that is missing has no fees.
  if (call.message.isStatic) return [success, [], [], []]
  throw new Failed('INVALID_TOKEN_ID')
}

async function allowance(call: ServiceCall): Promise<readonly AbiValue[]> {
  const found = await namedToken(call)
  if (found !== undefined && !found.isNft)
    return [success, await ownerAllowance(call, found, [call.address(1), call.address(2)])]
  if (call.message.isStatic) throw new Failed('INVALID_TOKEN_ID')
  return [success, 0n]
}

async function isApprovedForAll(call: ServiceCall): Promise<readonly AbiValue[]> {
  const found = await namedToken(call)
  if (found === undefined || !found.isNft) throw new Failed('INVALID_TOKEN_ID', { shape: 'name' })
  return [success, await isOperator(call, found, [call.address(1), call.address(2)])]
}

async function getApproved(call: ServiceCall): Promise<readonly AbiValue[]> {
  const found = await namedToken(call)
  if (found === undefined) throw new Failed('INVALID_TOKEN_NFT_SERIAL_NUMBER', { shape: 'name' })
  const { spender } = await nftOf(call, found, call.bigint(1))
  return [success, await addressOfAccount(call.world, spender)]
}

const expiry: AbiTuple = parseTuple('((int64,address,int64))')
const free = { failsFreeInStatic: true } as const

/** What the token service tells, by the token's address as its first argument. */
export const tokenViews: readonly FunctionEntry[] = [
  view('isToken(address)', '(int32,bool)', async (call) => [success, (await namedToken(call)) !== undefined]),
  view('getTokenType(address)', '(int32,int32)', async (call) => [success, (await token(call)).isNft ? 1n : 0n]),
  view('getTokenInfo(address)', '(int32,TokenInfo)', async (call) => {
    const ledgerId = ledgerIdOf(call)
    return [success, tokenInfoValue(await token(call, [noTokenInfoValue(ledgerId)]), ledgerId)]
  }),
  view('getFungibleTokenInfo(address)', '(int32,FungibleInfo)', async (call) => {
    const ledgerId = ledgerIdOf(call)
    const found = await token(call, [[noTokenInfoValue(ledgerId), 0n]])
    return [success, [tokenInfoValue(found, ledgerId), found.decimals]]
  }),
  view('getNonFungibleTokenInfo(address,int64)', '(int32,NftInfo)', nftInfo),
  view('getTokenCustomFees(address)', '(int32,FixedFee[],FractionalFee[],RoyaltyFee[])', customFees),
  view('getTokenExpiryInfo(address)', '(int32,Expiry64)', async (call) => [
    success,
    expiryValue(await token(call, zeroOf(expiry) as readonly AbiValue[])),
  ]),
  view(
    'getTokenDefaultFreezeStatus(address)',
    '(int32,bool)',
    async (call) => [success, (await token(call)).freezeDefault],
    free,
  ),
  view(
    'getTokenDefaultKycStatus(address)',
    '(int32,bool)',
    async (call) => {
      const { keys, kycDefault } = await token(call)
      return [success, kycDefault || partsOfKey(keys.kyc) === undefined]
    },
    free,
  ),
  view('getTokenKey(address,uint256)', '(int32,KeyValue)', tokenKey, free),
  view('isFrozen(address,address)', '(int32,bool)', async (call) => [
    success,
    (await relation(call))?.isFrozen ?? false,
  ]),
  view('isKyc(address,address)', '(int32,bool)', async (call) => [
    success,
    (await relation(call))?.isKycGranted ?? false,
  ]),
  view('allowance(address,address,address)', '(int64,uint256)', allowance),
  view('getApproved(address,uint256)', '(int32,address)', getApproved),
  view('isApprovedForAll(address,address,address)', '(int64,bool)', isApprovedForAll),
]
