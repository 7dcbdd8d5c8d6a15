import { expect, it } from 'vitest'
import { accountMembers, accountText } from '#projections/entities/render.ts'
import { unknownEntity } from '#projections/entities/versions.ts'

const row = { ...unknownEntity(1_001n, 5n), memo: 'two\nlines, "quoted"', ethereumNonce: 7n }

it('has room for a balance and a reward that other read models know, whatever the memo says', () => {
  const members = JSON.parse(`{${accountMembers(accountText(row), '{"balance":30}', 4n)}}`)
  expect(members).toMatchObject({ account: '0.0.1001', balance: { balance: 30 }, pending_reward: 4 })
  expect(members).toMatchObject({ memo: row.memo, ethereum_nonce: 7, receiver_sig_required: null })
})
