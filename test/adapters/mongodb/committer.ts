// A process that keeps one of the numbered read models up to date: says `at <position>` after each commit, ends with 0 when
// it is done and with 3 when another has taken over.
import { setTimeout as sleep } from 'node:timers/promises'
import { openMongoStores } from '#src/adapters/mongodb/stores.ts'
import { isLedgerError } from '#src/domain/errors.ts'
import { changingSchema, commitOf, growingSchema } from '#test/adapters/mongodb/numbered-commits.ts'
import { mongoOptions } from '#test/adapters/mongodb/open-stores.ts'

const [uri = '', database = '', name = '', target = '', leaseMs = ''] = process.argv.slice(2)
const schema = name === growingSchema.name ? growingSchema : changingSchema
const stores = await openMongoStores({ ...mongoOptions(uri, database), leaseMs: Number(leaseMs) })

async function openWriter() {
  for (;;) {
    try {
      return await stores.readStore.openWriter(schema)
    } catch (error) {
      if (!isLedgerError(error, 'owner_busy')) throw error
      process.stdout.write('busy\n')
      await sleep(10)
    }
  }
}

try {
  const writer = await openWriter()
  let position = writer.checkpoint?.position ?? 0
  process.stdout.write(`opened ${position}\n`)
  while (position < Number(target)) {
    const to = Math.min(Number(target), position + 1 + Math.floor(Math.random() * 6))
    await writer.commit(commitOf(schema, position, to))
    position = to
    process.stdout.write(`at ${position}\n`)
  }
  await writer.close()
} catch (error) {
  if (!isLedgerError(error, 'owner_fenced')) throw error
  process.stdout.write('fenced\n')
  process.exitCode = 3
} finally {
  await stores.close()
}
