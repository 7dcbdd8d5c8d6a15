import type { AbiValue } from '#src/evm/abi/types.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { ledgerAmount } from '#src/evm/services/token/erc-changes.ts'
import { accountNamed, assertKey, movingToken, relationOf } from '#src/evm/services/token/named.ts'
import type { TokenFacts } from '#src/evm/token-facts.ts'

const usd = { change: 0.001, perNft: 0.02 } as const
const metadataBytesMax = 100

async function mint(call: ServiceCall): Promise<readonly AbiValue[]> {
  const amount = call.bigint(1)
  const metadata = call.list<Uint8Array>(2)
  must(amount >= 0n, 'INVALID_TOKEN_MINT_AMOUNT')
  must(
    metadata.every(({ length }) => length <= metadataBytesMax),
    'METADATA_TOO_LONG',
  )
  const token = await movingToken(call, call.address(0))
  assertKey(token, 'supply')
  const minted = token.isNft ? BigInt(metadata.length) : ledgerAmount(amount)
  must(!token.isNft || minted > 0n, 'INVALID_TOKEN_MINT_METADATA')
  const totalSupply = ledgerAmount(token.totalSupply + minted)
  must(!token.hasMaxSupply || totalSupply <= token.maxSupply, 'TOKEN_MAX_SUPPLY_REACHED')
  await give(call, token, token.treasury, minted)
  call.tokens.setToken(token.id, { ...token, totalSupply })
  return [success, totalSupply, token.isNft ? await mintNfts(call, token, metadata) : []]
}

async function mintNfts(
  call: ServiceCall,
  { id, treasury: owner }: TokenFacts,
  all: readonly Uint8Array[],
): Promise<bigint[]> {
  const last = await call.tokens.lastSerial(id)
  const { timestamp: createdSeconds } = await call.evm.ledger.block()
  const serials = all.map((_, index) => last + 1n + BigInt(index))
  for (const [index, serial] of serials.entries())
    call.tokens.setNft(id, serial, { owner, spender: 0n, createdSeconds, metadata: all[index]! })
  call.tokens.setLastSerial(id, last + BigInt(all.length))
  return serials
}

/** Adds to what an account has, or takes of it. */
async function give(call: ServiceCall, token: TokenFacts, account: bigint, amount: bigint): Promise<void> {
  const relation = await relationOf(call, token, account)
  call.tokens.setRelation(token.id, account, { ...relation, balance: relation.balance + amount })
}

async function burn(call: ServiceCall): Promise<readonly AbiValue[]> {
  const amount = call.bigint(1)
  must(amount >= 0n, 'INVALID_TOKEN_BURN_AMOUNT')
  const token = await movingToken(call, call.address(0))
  assertKey(token, 'supply')
  const totalSupply = token.isNft
    ? await removeNfts(call, token, token.treasury, call.list(2), 'TREASURY_MUST_OWN_BURNED_NFT')
    : await removeAmount(call, token, token.treasury, amount, 'INVALID_TOKEN_BURN_AMOUNT')
  return [success, totalSupply]
}

async function removeAmount(
  call: ServiceCall,
  token: TokenFacts,
  account: bigint,
  amount: bigint,
  tooMuch: string,
): Promise<bigint> {
  must(amount <= token.totalSupply, tooMuch)
  const { balance } = await relationOf(call, token, account)
  must(balance >= amount, account === token.treasury ? 'INSUFFICIENT_TOKEN_BALANCE' : tooMuch)
  await give(call, token, account, -amount)
  const totalSupply = token.totalSupply - amount
  call.tokens.setToken(token.id, { ...token, totalSupply })
  return totalSupply
}

async function removeNfts(
  call: ServiceCall,
  token: TokenFacts,
  owner: bigint,
  serials: readonly bigint[],
  notOwned: string,
): Promise<bigint> {
  const distinct = [...new Set(serials)]
  for (const serial of distinct) {
    const nft = await call.tokens.nft(token.id, serial)
    must(nft !== undefined, 'INVALID_NFT_ID')
    must(nft.owner === owner, notOwned)
    call.tokens.setNft(token.id, serial, undefined)
  }
  const count = BigInt(distinct.length)
  await give(call, token, owner, -count)
  const totalSupply = token.totalSupply - count
  call.tokens.setToken(token.id, { ...token, totalSupply })
  return totalSupply
}

/** Takes tokens from an account that is not the treasury. */
async function wipe(call: ServiceCall, kind: 'amount' | 'nfts'): Promise<readonly AbiValue[]> {
  if (kind === 'amount') must(call.bigint(2) >= 0n, 'INVALID_WIPING_AMOUNT')
  const token = await movingToken(call, call.address(0))
  assertKey(token, 'wipe')
  const account = await accountNamed(call, call.address(1))
  await relationOf(call, token, account)
  must(account !== token.treasury, 'CANNOT_WIPE_TOKEN_TREASURY_ACCOUNT')
  must(token.isNft === (kind === 'nfts'), kind === 'nfts' ? 'INVALID_NFT_ID' : 'INVALID_WIPING_AMOUNT')
  if (kind === 'nfts') await removeNfts(call, token, account, call.list(2), 'ACCOUNT_DOES_NOT_OWN_WIPED_NFT')
  else await removeAmount(call, token, account, call.bigint(2), 'INVALID_WIPING_AMOUNT')
  return [success]
}

function mintPrice(call: ServiceCall): number {
  const count = call.list(2).length
  return count === 0 ? usd.change : usd.perNft * count
}

/** What makes more or less of a token. */
export const supplyFunctions: readonly FunctionEntry[] = [
  change('mintToken(address,int64,bytes[])', '(int64,int64,int64[])', mintPrice, mint),
  change('mintToken(address,uint64,bytes[])', '(int64,int64,int64[])', mintPrice, mint),
  change('burnToken(address,int64,int64[])', '(int64,int64)', usd.change, burn),
  change('burnToken(address,uint64,int64[])', '(int64,int64)', usd.change, burn),
  change('wipeTokenAccount(address,address,int64)', '(int256)', usd.change, (call) => wipe(call, 'amount')),
  change('wipeTokenAccount(address,address,uint32)', '(int256)', usd.change, (call) => wipe(call, 'amount')),
  change('wipeTokenAccountNFT(address,address,int64[])', '(int256)', usd.change, (call) => wipe(call, 'nfts')),
]
