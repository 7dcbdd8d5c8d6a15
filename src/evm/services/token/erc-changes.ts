import type { AbiValue } from '#src/evm/abi/types.ts'
import type { ServiceCall } from '#src/evm/services/call.ts'
import { Halted } from '#src/evm/services/failed.ts'
import { change, type FunctionEntry, noSuchCall } from '#src/evm/services/function-table.ts'
import { success } from '#src/evm/services/response-numbers.ts'
import { approve, approveForAll, approveNft } from '#src/evm/services/token/approvals.ts'
import { subjectToken } from '#src/evm/services/token/erc-views.ts'
import { partyAt } from '#src/evm/services/token/parties.ts'
import { transfer } from '#src/evm/services/token/transfer.ts'

const facade = { isFacade: true, failure: 'number' } as const
const maxInt64 = 2n ** 63n - 1n
const approvalUsd = 0.05

/** An amount that the ledger can hold: whoever asks for more asks for nothing that it knows. */
export function ledgerAmount(amount: bigint): bigint {
  if (amount > maxInt64 || amount < 0n) throw new Halted()
  return amount
}

async function transferOwn(call: ServiceCall): Promise<readonly AbiValue[]> {
  const token = await subjectToken(call)
  if (token.isNft) return noSuchCall
  const amount = ledgerAmount(call.bigint(1))
  const sender = await call.senderAccount()
  const receiver = await partyAt(call, call.address(0))
  await transfer(call, {
    hbar: [],
    tokens: [
      {
        token: token.id,
        amounts: [
          { account: sender, amount: -amount, isApproved: false },
          { account: receiver, amount, isApproved: false },
        ],
        nfts: [],
      },
    ],
    paysAssociations: false,
  })
  return [true]
}

/** Of fungible tokens it takes an allowance even for one's own; an NFT its owner may move. */
export async function transferFrom(
  call: ServiceCall,
  first: number,
  token: { readonly id: bigint; readonly isNft: boolean },
  paysAssociations: boolean,
): Promise<void> {
  const value = ledgerAmount(call.bigint(first + 2))
  const caller = await call.senderAccount()
  const sender = await partyAt(call, call.address(first))
  const receiver = await partyAt(call, call.address(first + 1))
  const moves = token.isNft
    ? { amounts: [], nfts: [{ sender, receiver, serial: value, isApproved: sender !== caller }] }
    : {
        amounts: [
          { account: sender, amount: -value, isApproved: true },
          { account: receiver, amount: value, isApproved: false },
        ],
        nfts: [],
      }
  await transfer(call, { hbar: [], tokens: [{ token: token.id, ...moves }], paysAssociations })
}

async function approveAtToken(call: ServiceCall): Promise<readonly AbiValue[]> {
  const token = await subjectToken(call)
  const owner = await call.senderAccount()
  if (token.isNft) await approveNft(call, token, call.address(0), call.bigint(1))
  else await approve(call, token, owner, call.address(0), ledgerAmount(call.bigint(1)))
  return returning(token.isNft)
}

/** Of NFTs nothing is returned. */
function returning(isNft: boolean): readonly AbiValue[] {
  return isNft ? [] : [true]
}

/** What a token does at its own address, as contracts of the field do. */
export const ercChanges: readonly FunctionEntry[] = [
  change('transfer(address,uint256)', '(bool)', 0, transferOwn, facade),
  change(
    'transferFrom(address,address,uint256)',
    '(bool)',
    0,
    async (call) => {
      const token = await subjectToken(call)
      await transferFrom(call, 0, token, false)
      return returning(token.isNft)
    },
    facade,
  ),
  change('approve(address,uint256)', '(bool)', approvalUsd, approveAtToken, facade),
  change(
    'setApprovalForAll(address,bool)',
    '(int256)',
    approvalUsd,
    async (call) => {
      await approveForAll(call, await subjectToken(call), call.address(0), call.bool(1))
      return [success]
    },
    { isFacade: true },
  ),
]
