import type { AbiValue } from '#src/evm/abi/types.ts'
import type { HexAddress } from '#src/evm/addresses.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { Halted } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { transferFrom } from '#src/evm/services/token/erc-changes.ts'
import { movingToken, tokenNumber } from '#src/evm/services/token/named.ts'
import { partyAt } from '#src/evm/services/token/parties.ts'
import { type TokenMoves, transfer } from '#src/evm/services/token/transfer.ts'

type AmountTuple = readonly [account: HexAddress, amount: bigint, isApproved?: boolean]
type NftTuple = readonly [sender: HexAddress, receiver: HexAddress, serial: bigint, isApproved?: boolean]
export type TokenTuple = readonly [token: HexAddress, amounts: readonly AmountTuple[], nfts: readonly NftTuple[]]

async function amountsOf(call: ServiceCall, tuples: readonly AmountTuple[]): Promise<TokenMoves['amounts']> {
  const moves = tuples.map(async ([address, amount, isApproved = false]) => ({
    account: await partyAt(call, address),
    amount,
    isApproved,
  }))
  return Promise.all(moves)
}

async function nftsOf(call: ServiceCall, tuples: readonly NftTuple[]): Promise<TokenMoves['nfts']> {
  const moves = tuples.map(async ([from, to, serial, isApproved = false]) => ({
    sender: await partyAt(call, from),
    receiver: await partyAt(call, to),
    serial,
    isApproved,
  }))
  return Promise.all(moves)
}

export async function movesOf(call: ServiceCall, [token, amounts, nfts]: TokenTuple): Promise<TokenMoves> {
  return {
    token: tokenNumber(token),
    amounts: await amountsOf(call, amounts),
    nfts: await nftsOf(call, nfts),
  }
}

async function move(
  call: ServiceCall,
  tokens: readonly TokenTuple[],
  hbar: readonly AmountTuple[] = [],
): Promise<readonly AbiValue[]> {
  const moves = await Promise.all(tokens.map((each) => movesOf(call, each)))
  await transfer(call, { hbar: await amountsOf(call, hbar), tokens: moves, paysAssociations: true })
  return [success]
}

function transferToken(call: ServiceCall): Promise<readonly AbiValue[]> {
  const amount = call.bigint(3)
  if (amount < 0n) throw new Halted()
  const amounts = [[call.address(1), -amount] as const, [call.address(2), amount] as const]
  return move(call, [[call.address(0), amounts, []]])
}

function transferTokens(call: ServiceCall): Promise<readonly AbiValue[]> {
  const [accounts, amounts] = [call.list<HexAddress>(1), call.list<bigint>(2)]
  if (accounts.length !== amounts.length) throw new Halted()
  return move(call, [[call.address(0), accounts.map((account, index) => [account, amounts[index]!] as const), []]])
}

function transferNfts(call: ServiceCall): Promise<readonly AbiValue[]> {
  const [senders, receivers, serials] = [call.list<HexAddress>(1), call.list<HexAddress>(2), call.list<bigint>(3)]
  if (senders.length !== receivers.length || senders.length !== serials.length) throw new Halted()
  const nfts = senders.map((sender, index) => [sender, receivers[index]!, serials[index]!] as const)
  return move(call, [[call.address(0), [], nfts]])
}

async function fromOwner(call: ServiceCall, isNft: boolean): Promise<readonly AbiValue[]> {
  const { id } = await movingToken(call, call.address(0))
  await transferFrom(call, 1, { id, isNft }, true)
  return [success]
}

/** Moves of tokens and hbar, by the token service's own functions. */
export const transferFunctions: readonly FunctionEntry[] = [
  change('transferToken(address,address,address,int64)', '(int64)', 0, transferToken),
  change('transferTokens(address,address[],int64[])', '(int64)', 0, transferTokens),
  change('transferNFT(address,address,address,int64)', '(int64)', 0, (call) =>
    move(call, [[call.address(0), [], [[call.address(1), call.address(2), call.bigint(3)]]]]),
  ),
  change('transferNFTs(address,address[],address[],int64[])', '(int64)', 0, transferNfts),
  change('transferFrom(address,address,address,uint256)', '(int64)', 0, (call) => fromOwner(call, false)),
  change('transferFromNFT(address,address,address,uint256)', '(int64)', 0, (call) => fromOwner(call, true)),
  change('cryptoTransfer(Transfers[])', '(int64)', 0, (call) => move(call, call.list(0) as readonly TokenTuple[])),
  change('cryptoTransfer(HbarTransfers,ApprovedTransfers[])', '(int64)', 0, (call) => {
    const [hbar] = call.list(0) as readonly [readonly AmountTuple[]]
    return move(call, call.list(1) as readonly TokenTuple[], hbar)
  }),
]
