import type { NftFacts } from '#src/simulator/ledger-change.ts'
import type { Held, LedgerView } from '#src/simulator/ledger-view.ts'
import { timeOf } from '#test/oracle/expected-account.ts'
import type { Json } from '#test/oracle/simulated-ledger.ts'

/** What the API shows of an NFT, as the network itself knows it. The key is its token and serial number. */
export function expectedNft(key: string, nft: Held<NftFacts>, view: LedgerView): Json {
  const [token = '', serial = ''] = key.split('/')
  return {
    account_id: id(nft.owner),
    created_timestamp: nft.createdAt === null ? null : timeOf(nft.createdAt),
    delegating_spender: id(nft.delegatingSpender),
    deleted: nft.owner === null || (view.entity(Number(token))?.deleted ?? false),
    metadata: Buffer.from(nft.metadata, 'hex').toString('base64'),
    modified_timestamp: timeOf(nft.since),
    serial_number: Number(serial),
    spender: id(nft.spender),
    token_id: `0.0.${token}`,
  }
}

/** NFTs by their keys, ascending by token and serial number. */
export function nftsOf(view: LedgerView): (readonly [key: string, nft: Held<NftFacts>])[] {
  const numbers = (key: string) => key.split('/').map(Number) as [number, number]
  return [...view.rows('nfts')].sort(([a], [b]) => {
    const [[token, serial], [otherToken, otherSerial]] = [numbers(a), numbers(b)]
    return token - otherToken || serial - otherSerial
  })
}

function id(num: number | null): string | null {
  return num === null ? null : `0.0.${num}`
}
