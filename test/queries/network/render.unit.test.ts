import { expect, it } from 'vitest'
import { nodeObject } from '#queries/network/render.ts'

const entry = {
  ...{ nodeId: 3n, accountId: 6n, description: null, memo: null },
  ...{ publicKey: '"0x"', certHash: '"0x"', endpoints: '[]' },
}
const node = {
  ...{ nodeId: 3n, from: 1n, until: null, adminKey: null },
  ...{ associated: '[]', declineReward: 0, grpcProxy: null },
}
const book = { fileId: 102n, start: 1n, end: null }

it.each([
  [6n, 9n, '0.0.9'],
  [6n, null, '0.0.6'],
  [6n, 0n, '0.0.6'],
  [0n, undefined, null],
  [null, 0n, null],
])('shows the account %s of the book and %s of the node as %j', (ofBook, ofNode, node_account_id) => {
  const text = nodeObject.render({
    entry: { ...entry, accountId: ofBook },
    book,
    node: ofNode === undefined ? undefined : { ...node, accountId: ofNode },
    stake: undefined,
  })
  expect(JSON.parse(text)).toMatchObject({ node_account_id, timestamp: { from: '0.000000001', to: null } })
})
