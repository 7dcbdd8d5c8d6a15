import { pack, unpack, type VerifiedFacts } from '#projections/verification/packing.ts'
import { type RequestRow, type VerificationSchema, verificationSchema } from '#projections/verification/schema.ts'
import type { DecisionOf } from '#schemas/decisions/types.ts'
import { defineProjection, type FoldedRows, type Handler } from '#src/runtime/fold/projection.ts'

type Rows = FoldedRows<VerificationSchema>

const step = ['chain', 'entity', 'request_id', 'at'] as const
const failure = [...step, 'code', 'message', 'details'] as const

function epochOf(rows: Pick<Rows, 'get'>, chain: string): bigint {
  return rows.get('chains', chain)?.epoch ?? 0n
}

function changeRequest(rows: Rows, id: string, change: Partial<RequestRow>): void {
  const row = rows.get('requests', id)
  if (row !== undefined) rows.put('requests', { ...row, ...change })
}

type FailureType = 'SourceFetchFailed' | 'CompilationFailed' | 'VerificationRejected'

const failing = <T extends FailureType>(): Handler<VerificationSchema, T, (typeof failure)[number]> => ({
  reads: failure,
  apply: (event: Pick<DecisionOf<FailureType>, (typeof failure)[number]>, rows) => {
    const { request_id, at: finishedAt, code: failureCode, message: failureMessage, details: failureDetails } = event
    changeRequest(rows, request_id, { open: 0, finishedAt, failureCode, failureMessage, failureDetails })
  },
})

const matched = [
  ...step,
  'address',
  'match',
  'runtime_match',
  'creation_match',
  'created_by',
  'name',
  'path',
  'language',
  'compiler_version',
  'compiler_sha256',
  'metadata',
  'artifacts',
  'sources',
  'unused',
  'libraries',
  'immutables',
  'call_protection',
  'constructor_arguments',
  'varying',
  'masked_hash',
  'code_hash',
  'code_length',
  'implementation',
  'code_as_of',
] as const

type Matched = Pick<DecisionOf<'ContractVerified'>, (typeof matched)[number]>

/** The files of a match in place of those of the one before. */
function putFiles(rows: Rows, { chain, entity, sources }: Matched, epoch: bigint, before: VerifiedFacts | undefined) {
  for (const [path, hash] of Object.entries(before?.sources ?? {}))
    if (sources[path] !== hash) rows.remove('files', hash, chain, epoch, entity, path)
  for (const [path, hash] of Object.entries(sources)) rows.put('files', { hash, chain, epoch, entity, path })
}

function putCode(rows: Rows, { chain, entity, code_length: length, masked_hash, varying }: Matched, epoch: bigint) {
  if (masked_hash === null || rows.get('codes', chain, epoch, length, masked_hash) !== undefined) return
  rows.put('codes', { chain, epoch, entity, length, maskedHash: masked_hash, varying: pack(varying) })
}

function putContract(event: Matched, rows: Rows, position: bigint): void {
  const { chain, entity, address, at, match, name, path, language } = event
  const epoch = epochOf(rows, chain)
  const before = rows.get('contracts', chain, epoch, entity)
  const { created_by, compiler_sha256, metadata, artifacts, sources, unused, libraries, immutables } = event
  const { call_protection, constructor_arguments, implementation, code_as_of } = event
  const compiled = { created_by, compiler_sha256, metadata, artifacts, sources, unused }
  const taken = { libraries, immutables, call_protection, constructor_arguments, implementation, code_as_of }
  rows.put('contracts', {
    ...{ chain, epoch, entity, address, match, name, path, language },
    number: before?.number ?? position,
    runtimeMatch: event.runtime_match,
    creationMatch: event.creation_match,
    storedAt: before?.storedAt ?? at,
    verifiedAt: at,
    compilerVersion: event.compiler_version,
    codeHash: event.code_hash,
    facts: pack({ ...compiled, ...taken }),
  })
  putFiles(rows, event, epoch, before && unpack<VerifiedFacts>(before.facts))
  putCode(rows, event, epoch)
}

/** What is verified, from the decisions about it. */
export const verificationProjection = defineProjection(verificationSchema, { passesOver: true })
  .on('VerificationRequested', {
    reads: step,
    apply: ({ chain, entity, request_id: id, at: startedAt }, rows) => {
      const nothing = {
        finishedAt: null,
        compileMs: null,
        failureCode: null,
        failureMessage: null,
        failureDetails: null,
      }
      rows.put('requests', { id, chain, epoch: epochOf(rows, chain), entity, open: 1, startedAt, ...nothing })
    },
  })
  .on('CompilationSucceeded', {
    reads: [...step, 'milliseconds'],
    apply: ({ request_id, milliseconds }, rows) => changeRequest(rows, request_id, { compileMs: milliseconds }),
  })
  .on('SourceFetchFailed', failing<'SourceFetchFailed'>())
  .on('CompilationFailed', failing<'CompilationFailed'>())
  .on('VerificationRejected', failing<'VerificationRejected'>())
  .on('ContractVerified', {
    reads: matched,
    apply: (event, rows, { sequence }) => {
      putContract(event, rows, BigInt(sequence))
      changeRequest(rows, event.request_id, { open: 0, finishedAt: event.at })
    },
  })
  .on('MatchNotImproved', {
    reads: step,
    apply: ({ request_id, at }, rows) => changeRequest(rows, request_id, { open: 0, finishedAt: at }),
  })
  .on('ChainForgotten', {
    reads: ['chain'],
    apply: ({ chain }, rows, { sequence }) => rows.put('chains', { chain, epoch: BigInt(sequence) }),
  })
