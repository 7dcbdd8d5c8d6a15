import { type HexAddress, longZeroOf } from '#src/evm/addresses.ts'
import { accountAt, addressOfAccount } from '#src/evm/services/accounts.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { Failed, Halted, must } from '#src/evm/services/failed.ts'
import { type FunctionEntry, view } from '#src/evm/services/function-table.ts'
import type { NftFacts, TokenFacts } from '#src/evm/token-facts.ts'

const facade = { isFacade: true, failure: 'name' } as const
const noSuchNft = 'ERC721Metadata: URI query for nonexistent token'

/** The token whose address was called. */
export async function subjectToken(call: ServiceCall): Promise<TokenFacts> {
  const token = await call.tokens.token(call.subject)
  if (token === undefined) throw new Failed('INVALID_TOKEN_ID', { shape: 'name' })
  return token
}

/** The same where it has to be of a kind: the other one has no such function. */
async function subjectOf(kind: 'fungible' | 'nft', call: ServiceCall): Promise<TokenFacts> {
  const token = await subjectToken(call)
  if (token.isNft !== (kind === 'nft')) throw new Halted()
  return token
}

export async function ownerAllowance(
  call: ServiceCall,
  token: TokenFacts,
  [owner, spender]: readonly [HexAddress, HexAddress],
): Promise<bigint> {
  const ownerAccount = await accountAt(call.world, owner)
  if (ownerAccount === undefined) throw new Failed('INVALID_ALLOWANCE_OWNER_ID', { shape: 'name' })
  const spenderAccount = await accountAt(call.world, spender)
  return spenderAccount === undefined ? 0n : call.tokens.allowance(ownerAccount, spenderAccount, token.id)
}

export async function isOperator(
  call: ServiceCall,
  token: TokenFacts,
  [owner, operator]: readonly [HexAddress, HexAddress],
): Promise<boolean> {
  const [ownerAccount, operatorAccount] = await Promise.all([
    accountAt(call.world, owner),
    accountAt(call.world, operator),
  ])
  if (ownerAccount === undefined || operatorAccount === undefined) return false
  return call.tokens.approvedForAll(ownerAccount, operatorAccount, token.id)
}

/** An NFT that is there. */
export async function nftOf(call: ServiceCall, token: TokenFacts, serial: bigint): Promise<NftFacts> {
  const nft = await call.tokens.nft(token.id, serial)
  if (nft === undefined) throw new Failed('INVALID_TOKEN_NFT_SERIAL_NUMBER', { shape: 'name' })
  return nft
}

async function balanceOf(call: ServiceCall): Promise<bigint> {
  const token = await subjectToken(call)
  const account = await accountAt(call.world, call.address(0))
  must(account !== undefined, 'INVALID_ACCOUNT_ID')
  return (await call.tokens.relation(token.id, account))?.balance ?? 0n
}

async function tokenUri(call: ServiceCall): Promise<string> {
  const token = await subjectOf('nft', call)
  const nft = await call.tokens.nft(token.id, call.bigint(0))
  return nft === undefined ? noSuchNft : Buffer.from(nft.metadata).toString('utf8')
}

async function isAssociated(call: ServiceCall): Promise<boolean> {
  const account = await accountAt(call.world, call.sender)
  return account !== undefined && (await call.tokens.relation(call.subject, account)) !== undefined
}

/** What a token answers at its own address, as contracts of the field do. */
export const ercViews: readonly FunctionEntry[] = [
  view('name()', '(string)', async (call) => [(await subjectToken(call)).name], facade),
  view('symbol()', '(string)', async (call) => [(await subjectToken(call)).symbol], facade),
  view('decimals()', '(uint8)', async (call) => [(await subjectOf('fungible', call)).decimals], facade),
  view('totalSupply()', '(int256)', async (call) => [(await subjectToken(call)).totalSupply], facade),
  view('balanceOf(address)', '(int256)', async (call) => [await balanceOf(call)], facade),
  view(
    'ownerOf(uint256)',
    '(address)',
    async (call) => {
      const { owner } = await nftOf(call, await subjectOf('nft', call), call.bigint(0))
      return [await addressOfAccount(call.world, owner)]
    },
    facade,
  ),
  view('tokenURI(uint256)', '(string)', async (call) => [await tokenUri(call)], facade),
  view(
    'allowance(address,address)',
    '(uint256)',
    async (call) => {
      const token = await subjectToken(call)
      return [token.isNft ? 0n : await ownerAllowance(call, token, [call.address(0), call.address(1)])]
    },
    facade,
  ),
  view(
    'getApproved(uint256)',
    '(address)',
    async (call) => {
      const { spender } = await nftOf(call, await subjectOf('nft', call), call.bigint(0))
      return [spender === 0n ? longZeroOf(0n) : await addressOfAccount(call.world, spender)]
    },
    facade,
  ),
  view(
    'isApprovedForAll(address,address)',
    '(bool)',
    async (call) => {
      const token = await subjectToken(call)
      return [await isOperator(call, token, [call.address(0), call.address(1)])]
    },
    facade,
  ),
  view('isAssociated()', '(bool)', async (call) => [await isAssociated(call)], facade),
]
