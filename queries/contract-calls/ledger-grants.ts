import { airdropState } from '#projections/airdrops/schema.ts'
import { inSteps, type Step } from '#queries/common/in-steps.ts'
import type { CallBlock } from '#queries/contract-calls/find-block.ts'
import { idOfNumber } from '#queries/contract-calls/numbers.ts'
import type { CallContext } from '#queries/contract-calls/reads.ts'
import { maxInt64, minInt64 } from '#src/domain/ledger-time.ts'
import type { TokenLedger } from '#src/evm/token-facts.ts'

type Grants = Pick<TokenLedger, 'allowance' | 'airdrop' | 'associations'>
const hbar = 0n
const stepRows = 1_000
const allTokens = { lower: minInt64, upper: maxInt64, order: 'asc', limit: stepRows, next: () => stepRows } as const
const oneNft = 1n

/** What accounts grant others, and what they may receive, as contracts see it at a block. */
export function grantsAt(block: CallBlock, context: CallContext): Grants {
  const { rows } = context
  const idOf = (number: bigint) => idOfNumber(number, context)

  /** Associations that transfers made and that are there still, a step of the account's tokens at a time. */
  async function countAutomatic(account: bigint): Promise<bigint> {
    const relations = rows.tokens.at(block.time)
    const find = (step: Step) =>
      rows.balances.newest.find({
        collection: 'tokenBalances',
        index: ['account', 'token'],
        prefix: [account],
        ...step,
        select: ['token'],
      })
    let count = 0n
    for await (const step of inSteps(allTokens, context.pause, find, ({ token }) => token)) {
      const keys = step.map(({ token }) => [token, account] as const)
      const found = await relations.get('relations', keys, ['associated', 'automatic'])
      count += BigInt(found.filter((row) => row?.associated === 1 && row.automatic === 1).length)
    }
    return count
  }

  return {
    allowance: async (owner, spender, token) => {
      const [ownerId, spenderId] = [idOf(owner), idOf(spender)]
      const id = token === hbar ? hbar : idOf(token)
      if (ownerId === undefined || spenderId === undefined || id === undefined) return 0n
      const [row] = await rows.allowances.at(block.time).get('allowances', [[ownerId, spenderId, id]], ['amount'])
      return row === undefined || row.amount < 0n ? 0n : row.amount
    },
    airdrop: async (sender, receiver, token, serial) => {
      const [senderId, receiverId, id] = [idOf(sender), idOf(receiver), idOf(token)]
      if (senderId === undefined || receiverId === undefined || id === undefined) return undefined
      const key = [senderId, receiverId, id, serial] as const
      const [row] = await rows.airdrops.at(block.time).get('airdrops', [key], ['amount', 'state'])
      return row?.state === airdropState('PENDING') ? (row.amount ?? oneNft) : undefined
    },
    associations: async (account) => {
      const id = idOf(account)
      if (id === undefined) return { automaticMax: 0n, automatic: 0n }
      const entities = rows.entities.at(block.time)
      const [entity] = await entities.get('entities', [[id]], ['maxAutomaticTokenAssociations'])
      const automaticMax = BigInt(entity?.maxAutomaticTokenAssociations ?? 0)
      return { automaticMax, automatic: automaticMax > 0n ? await countAutomatic(id) : 0n }
    },
  }
}
