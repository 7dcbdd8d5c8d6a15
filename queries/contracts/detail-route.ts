import { contractsSchema, isUserFile } from '#projections/contracts/schema.ts'
import { entityFields } from '#projections/entities/schema.ts'
import { min } from '#queries/common/bigints.ts'
import type { EntityReference } from '#queries/common/entity-id-parameter.ts'
import { notFound } from '#queries/common/errors.ts'
import { findVersion } from '#queries/common/find-version.ts'
import type { Filter } from '#queries/common/parameters.ts'
import { selectionOf } from '#queries/common/range.ts'
import { defineRoute } from '#queries/common/route.ts'
import { findFileContents } from '#queries/contracts/file-contents.ts'
import { contractDetailParameters, contractPathInWords } from '#queries/contracts/params.ts'
import { type ContractContext, contractReads } from '#queries/contracts/reads.ts'
import { contractObject } from '#queries/contracts/render.ts'
import { hexOf } from '#src/domain/bytes.ts'
import type { RowOf } from '#src/ports/read-store.ts'

type CodeRow = RowOf<typeof contractsSchema, 'contracts'>

const codeFields = Object.keys(contractsSchema.collections.contracts.fields) as (keyof CodeRow)[]

const pathParameters = { contractid: contractPathInWords }

export const contractDetailRoute = defineRoute({
  path: '/contracts/:contractid',
  pathParameters,
  summary: 'Get a contract with its code, now or as it was',
  tag: 'contracts',
  checksFirst: 'path',
  parameters: contractDetailParameters,
  maxAge: 1,
  body: contractObject.schema,
  reads: contractReads,
  answer: async ({ filters, params }, { rows, checkpoint }) => {
    const range = validityRange(filters.timestamp, checkpoint.time)
    const id = await findNamed(params.contractid, range.upper, rows.entities)
    if (id === undefined) throw notFound()
    const [version, [code]] = await Promise.all([
      filters.timestamp.length === 0
        ? rows.entities.get('entities', [[id]], entityFields).then(([row]) => row)
        : findVersion(rows.entities, id, range),
      rows.contracts.get('contracts', [[id]], codeFields),
    ])
    if (version?.type !== 'CONTRACT') throw notFound()
    const bytecode = await bytecodeOf(code, version.createdTimestamp, rows.contracts)
    const runtimeBytecode = shownCode(code?.runtimeBytecode)
    return { body: contractObject.render({ row: version, fileId: code?.fileId ?? null, bytecode, runtimeBytecode }) }
  },
})

/** A contract that is deleted is shown as well, also by its address as long as no other one has that. */
async function findNamed(
  reference: EntityReference,
  time: bigint,
  entities: ContractContext['rows']['entities'],
): Promise<bigint | undefined> {
  if (reference.kind === 'id') return reference.id
  const name = Buffer.from(reference.hex, 'hex')
  const [newest] = await entities.at(time).begun('entityNames', [[name]], ['id'])
  return newest?.id
}

/**
 * When the version was in force: one that ended after the lower bound and began up to the upper one, even where nothing lies
 * between them. Of several single times the earliest counts.
 */
function validityRange(filters: readonly Filter<bigint>[], now: bigint) {
  const { lower, upper, equal, excluded } = selectionOf(filters)
  return { lower, upper: [...equal, upper, now].reduce(min), excluded }
}

/** Init code: of the creating transaction, or what its file held then, which is hex text already. */
async function bytecodeOf(
  code: CodeRow | undefined,
  created: bigint | null,
  contracts: ContractContext['rows']['contracts'],
): Promise<string> {
  if (code === undefined || code.fileId === null || !isUserFile(code.fileId)) return shownCode(code?.initcode)
  if (created === null) return '0x'
  const text = (await findFileContents(contracts.at(created), code.fileId))?.toString('utf8') ?? ''
  return text.startsWith('0x') ? text : `0x${text}`
}

function shownCode(code: Uint8Array | null | undefined): string {
  return code ? `0x${hexOf(code)}` : '0x'
}
