import { expect, it } from 'vitest'
import { eventsOf } from '#test/conformance/decode-statements.ts'
import { airdropStatements } from '#test/conformance/state/airdrops.ts'
import { allowanceStatements } from '#test/conformance/state/allowances.ts'

const range = { from: '9', to: null }

it('a row of an allowance states what is left beside what was granted, of a token or of hbar', () => {
  const row = { owner: '7', spender: '8', amount_granted: '100', amount: '40', timestamp_range: range }
  const statements = allowanceStatements({ crypto_allowance: [row], token_allowance: [{ ...row, token_id: '21' }] })

  expect(statements.map(({ key }) => key)).toEqual(['snapshot/allowance/7/8/0/9', 'snapshot/allowance/7/8/21/9'])
  const common = { ownerId: 7n, spenderId: 8n, asOf: 9n, validTo: null, amountGranted: 100n, amount: 40n }
  expect(eventsOf(statements, 'AllowanceSnapshotted')).toEqual([
    { ...common, tokenId: null },
    { ...common, tokenId: 21n },
  ])
})

it('a row of an airdrop states it with its amount or serial number, and what became of it', () => {
  const row = { sender_account_id: '7', receiver_account_id: '8', token_id: '21', timestamp_range: range }
  const statements = airdropStatements({
    token_airdrop: [
      { ...row, serial_number: '0', amount: '5', state: 'PENDING' },
      { ...row, serial_number: '3', amount: null, state: 'CLAIMED' },
    ],
  })

  expect(statements[1]?.key).toBe('snapshot/airdrop/7/8/21/3/9')
  const common = { senderId: 7n, receiverId: 8n, tokenId: 21n, asOf: 9n, validTo: null }
  expect(eventsOf(statements, 'AirdropSnapshotted')).toEqual([
    { ...common, serialNumber: 0n, amount: 5n, state: 'PENDING' },
    { ...common, serialNumber: 3n, amount: null, state: 'CLAIMED' },
  ])
})
