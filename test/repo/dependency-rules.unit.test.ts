import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { findDependencyProblems, readSourceFiles } from '../../scripts/dependency-rules.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

function problemsOf(path: string, text: string): string[] {
  return findDependencyProblems([{ path, text }])
}

describe('dependency rules', () => {
  it('hold in this repository', () => {
    expect(findDependencyProblems(readSourceFiles(root))).toEqual([])
  })

  it.each([
    ['src/domain/amount.ts', "import { readFileSync } from 'node:fs'"],
    ['src/runtime/fold/projector.ts', "import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'"],
    ['src/importer/importer.ts', "import type { S3 } from '../adapters/s3/source.ts'"],
    ['src/http/app.ts', "const { main } = await import('#src/cli/main.ts')"],
    ['projections/blocks/projection.ts', "import { find } from '#queries/blocks/find.ts'"],
    ['queries/blocks/find.ts', "import { apply } from '#projections/blocks/projection.ts'"],
    ['queries/blocks/find.ts', "import { unpack } from '#projections/blocks/hash-packing.ts'"],
    ['queries/nfts/find.ts', "import { type Lot, packLot, unpackLots } from '#projections/nfts/packing.ts'"],
    ['queries/blocks/find.ts', "import { apply } from '#projections/blocks/projection-2.ts'"],
    ['src/adapters/sqlite/read-store.ts', "import { blocksSchema } from '#projections/blocks/schema.ts'"],
    ['src/cli/start.ts', "export { given } from '#test/support/given.ts'"],
    ['src/tss/ledger.ts', "import { readFileSync } from 'node:fs'"],
    ['src/importer/importer.ts', 'const seed = process.env.SEED'],
    ['src/events/reader.ts', "const read = new Function('a', 'return a')"],
    ['src/runtime/watch/metrics.ts', "import {\n  a,\n  b,\n} from '#src/adapters/sqlite/x.ts'"],
  ])('catch what %s must not do: %s', (path, text) => {
    expect(problemsOf(path, text)).toHaveLength(1)
  })

  it.each([
    ['src/cli/start.ts', "import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'"],
    ['queries/blocks/find.ts', "import { blocksSchema } from '#projections/blocks/schema.ts'"],
    ['queries/nfts/find.ts', "import { type Lot, unpackLots } from '#projections/nfts/packing.ts'"],
    ['queries/staking/find.ts', "import { runOf } from '#projections/staking/packing/runs.ts'"],
    ['queries/tokens/find.ts', "import { renderListed } from '#projections/tokens/render.ts'"],
    ['queries/blocks/block-reads-2.ts', "import { blocksSchema2 } from '#projections/blocks/schema-2.ts'"],
    ['src/config/environment.ts', 'const env = process.env'],
    ['src/domain/amount.ts', "import { LedgerError } from './errors.ts'"],
    ['test/adapters/x.int.test.ts', "import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'"],
  ])('allow %s: %s', (path, text) => {
    expect(problemsOf(path, text)).toEqual([])
  })
})
