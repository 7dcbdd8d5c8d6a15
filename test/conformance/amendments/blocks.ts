import { type Amendment, resourceOf, withBody, withElements } from '#test/conformance/amendments/amendment.ts'

type Json = Readonly<Record<string, unknown>>

const noReceipts = `0x${'00'.repeat(32)}`

/** The recorded ledgers of blocks have no transactions, and so no receipts. */
export const receiptsRoots: Amendment = {
  name: 'blocks have the root of their receipts',
  version: 'in none yet',
  amend: (request) => {
    if (!/^blocks(\/|$)/.test(resourceOf(request))) return request
    const changed = (block: Json) => ('previous_hash' in block ? { ...block, receipts_root: noReceipts } : block)
    return withBody(withElements(request, 'blocks', changed), changed)
  },
}
