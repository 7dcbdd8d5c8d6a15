import { describe, expect, it } from 'vitest'
import { accountText } from '#projections/entities/render.ts'
import { entitiesSchema } from '#projections/entities/schema.ts'
import { unknownEntity } from '#projections/entities/versions.ts'
import { findAccountsNow } from '#queries/accounts/found-account.ts'
import { rowsAt } from '#src/runtime/serve/rows-at.ts'
import { rowReaderFake } from '#test/queries/row-reader-fake.ts'

const alice = 1_001n
const first = { ...unknownEntity(alice, 1n), type: 'ACCOUNT', memo: 'first' }
const second = { ...first, from: 5n, previous: 1n, memo: 'second' }
const topic = { ...unknownEntity(1_002n, 1n), type: 'TOPIC', shown: null }

async function shownAt(time: bigint) {
  const collections = {
    entities: [{ ...second, shown: accountText(second) }, topic],
    entityVersions: [{ ...first, until: 5n }],
  }
  const bound = { position: Number(time), time }
  const rows = rowsAt(entitiesSchema, rowReaderFake(collections, bound, { entities: ['id'] }), time)
  const found = await findAccountsNow(rows, [alice, topic.id, 9n])
  return found.map((account) => account?.shown)
}

describe('an account at the bound of a request', () => {
  it('is shown as the fold has written it', async () => {
    expect(await shownAt(5n)).toEqual([accountText(second), undefined, undefined])
  })

  it('is shown as it was where something that came later has changed it', async () => {
    expect(await shownAt(4n)).toEqual([accountText(first), undefined, undefined])
    expect(await shownAt(0n)).toEqual([undefined, undefined, undefined])
  })
})
