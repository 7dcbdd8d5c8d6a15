import type { CallBlock } from '#queries/contract-calls/find-block.ts'
import { idOfNumber, numberOfId } from '#queries/contract-calls/numbers.ts'
import type { CallContext } from '#queries/contract-calls/reads.ts'
import { nftFields } from '#queries/nfts/reads.ts'
import { showNfts } from '#queries/nfts/show-nfts.ts'
import { nanosPerSecond } from '#src/domain/ledger-time.ts'
import type { TokenLedger } from '#src/evm/token-facts.ts'

type Nfts = Pick<TokenLedger, 'nft' | 'lastSerial' | 'approvedForAll'>
const maxInt64 = 2n ** 63n - 1n
const none = new Uint8Array(0)

/** NFTs and approvals for all of them as contracts see them at a block. */
export function nftsAt(block: CallBlock, context: CallContext): Nfts {
  const nfts = () => context.rows.nfts.at(block.time)
  const atBlock = { rows: context.rows, checkpoint: { ...context.checkpoint, time: block.time } }
  const idOf = (number: bigint) => idOfNumber(number, context)
  return {
    nft: async (token, serial) => {
      const id = idOf(token)
      if (id === undefined || serial > maxInt64) return undefined
      const [nft] = await showNfts(await nfts().get('nfts', [[id, serial]], nftFields), atBlock)
      if (nft === undefined || nft.deleted || nft.owner === null) return undefined
      return {
        owner: numberOfId(nft.owner),
        spender: numberOfId(nft.spender),
        createdSeconds: (nft.created ?? 0n) / nanosPerSecond,
        metadata: nft.metadata ?? none,
      }
    },
    lastSerial: async (token) => {
      const id = idOf(token)
      if (id === undefined) return 0n
      const [last] = await nfts().find({
        collection: 'nfts',
        index: ['token', 'serial'],
        prefix: [id],
        descending: true,
        limit: 1,
        select: ['serial'],
      })
      return last?.serial ?? 0n
    },
    approvedForAll: async (owner, spender, token) => {
      const [ownerId, spenderId, id] = [idOf(owner), idOf(spender), idOf(token)]
      if (ownerId === undefined || spenderId === undefined || id === undefined) return false
      const [row] = await nfts().get('allowances', [[ownerId, spenderId, id]], ['approved'])
      return row?.approved === 1
    },
  }
}
