import { type HexAddress, longZeroOf } from '#src/evm/addresses.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { must } from '#src/evm/services/failed.ts'
import { spenderAt } from '#src/evm/services/token/parties.ts'
import type { TokenFacts } from '#src/evm/token-facts.ts'

const nobody = longZeroOf(0n)

/** Lets somebody spend so much of a fungible token; nothing takes it back. */
export async function approve(
  call: ServiceCall,
  token: TokenFacts,
  owner: bigint,
  spender: HexAddress,
  amount: bigint,
): Promise<void> {
  const account = await spenderAt(call, spender)
  must(!token.isPaused, 'TOKEN_IS_PAUSED')
  must((await call.tokens.relation(token.id, owner)) !== undefined, 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
  must(!token.hasMaxSupply || amount <= token.maxSupply, 'AMOUNT_EXCEEDS_TOKEN_MAX_SUPPLY')
  call.tokens.setAllowance(owner, account, token.id, amount)
}

/** Lets somebody move an NFT of the caller's, or of who lets the caller move all of his; the zero address takes it back. */
export async function approveNft(
  call: ServiceCall,
  token: TokenFacts,
  spender: HexAddress,
  serial: bigint,
): Promise<void> {
  const account = spender === nobody ? 0n : await spenderAt(call, spender)
  const nft = await call.tokens.nft(token.id, serial)
  must(nft !== undefined, 'INVALID_NFT_ID')
  const caller = await call.senderAccount()
  must(!token.isPaused, 'TOKEN_IS_PAUSED')
  const mayApprove = nft.owner === caller || (await call.tokens.approvedForAll(nft.owner, caller, token.id))
  must(mayApprove, 'SENDER_DOES_NOT_OWN_NFT_SERIAL_NO')
  call.tokens.setNft(token.id, serial, { ...nft, spender: account })
}

/** Lets somebody move all NFTs of a token that the caller has, or no longer. */
export async function approveForAll(
  call: ServiceCall,
  token: TokenFacts,
  operator: HexAddress,
  isApproved: boolean,
): Promise<void> {
  const owner = await call.senderAccount()
  const spender = await spenderAt(call, operator)
  must(token.isNft, 'FUNGIBLE_TOKEN_IN_NFT_ALLOWANCES')
  must((await call.tokens.relation(token.id, owner)) !== undefined, 'TOKEN_NOT_ASSOCIATED_TO_ACCOUNT')
  call.tokens.setApprovedForAll(owner, spender, token.id, isApproved)
}
