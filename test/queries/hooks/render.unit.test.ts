import { expect, it } from 'vitest'
import { hookObject } from '#queries/hooks/render.ts'

const hook = {
  owner: 1_001n,
  hookId: 7n,
  from: 5n,
  until: null,
  type: 'EVM',
  adminKey: null,
  created: null,
  deleted: 0,
}

it.each([
  [null, null],
  [0n, null],
  [1_500n, '0.0.1500'],
])('shows a hook whose contract is %s with %j', (contractId, contract_id) => {
  expect(JSON.parse(hookObject.render({ ...hook, contractId }))).toMatchObject({
    ...{ contract_id, owner_id: '0.0.1001', created_timestamp: null },
    timestamp_range: { from: '0.000000005', to: null },
  })
})
