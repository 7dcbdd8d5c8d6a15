import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { instant, words } from '#schemas/decisions/status.ts'
import type { VerificationEventType } from '#schemas/decisions/verification-event-types.ts'

/**
 * The events of contract verification. Texts are not in them: they are named by their SHA-256, and lie in the content store. Nor are
 * keys of explorers. Ids of chains are decimal texts, ids of entities `shard.realm.num`.
 */

const object = <P extends Record<string, TSchema>>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

const chain = Type.String({ pattern: '^\\d{1,20}$' })
const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const match = words(['perfect', 'partial'])
const hashes = Type.Record(Type.String(), hash)

/** Of one request about one contract. */
const step = { chain, entity: Type.String(), request_id: Type.String(), at: instant }

/** Why there is nothing: names are those of `src/domain/verification/problem.ts`. */
const failure = {
  ...step,
  code: Type.String(),
  message: Type.String(),
  /** JSON: what a caller may want to know besides. */
  details: orNull(Type.String()),
}

const range = object({ start: Type.Integer({ minimum: 0 }), length: Type.Integer({ minimum: 0 }) })

export const verificationEventSchemas = {
  VerificationRequested: object({
    ...step,
    /** Forty lower-case hex digits: what an explorer is asked about. */
    address: Type.String({ pattern: '^[0-9a-f]{40}$' }),
    /** `explorer`: published there. `caller`: sent along, and stored. */
    source: words(['explorer', 'caller']),
    /** What the caller sent; null where it is asked of an explorer. */
    input: orNull(hash),
  }),
  SourcesFetched: object({
    ...step,
    explorer: Type.String(),
    compiler_version: Type.String(),
    target_name: Type.String(),
    target_path: orNull(Type.String()),
    /** Label -> hash of its text. */
    sources: hashes,
    /** All of it, with the settings. */
    input: hash,
    /** What the explorer takes for the implementation behind a proxy. */
    implementation: orNull(Type.String()),
  }),
  SourceFetchFailed: object(failure),
  CompilationSucceeded: object({
    ...step,
    compiler_version: Type.String(),
    compiler_sha256: Type.String(),
    /** Of compiling and comparing together. */
    milliseconds: Type.Integer({ minimum: 0 }),
  }),
  CompilationFailed: object(failure),
  ContractVerified: object({
    ...step,
    /** Its EVM address, else the long-zero one: forty lower-case hex digits. */
    address: Type.String({ pattern: '^[0-9a-f]{40}$' }),
    match,
    runtime_match: orNull(match),
    creation_match: orNull(match),
    /** What the creation match is proved by. */
    created_by: orNull(Type.String()),
    name: Type.String(),
    path: Type.String(),
    language: Type.String(),
    compiler_version: Type.String(),
    compiler_sha256: Type.String(),
    /** The metadata document; null where the compiler writes none. */
    metadata: orNull(hash),
    /** A document of all else that the compiler told. */
    artifacts: hash,
    /** Label -> hash of its text, of those that the metadata names. */
    sources: hashes,
    /** Labels of the others. */
    unused: Type.Array(Type.String()),
    libraries: Type.Array(object({ name: Type.String(), placeholder: Type.String(), address: Type.String() })),
    immutables: Type.Record(Type.String(), Type.String()),
    call_protection: orNull(Type.String()),
    constructor_arguments: orNull(Type.String()),
    /** For clones: what may differ in their code, and the hash of the rest. */
    varying: Type.Array(range),
    masked_hash: orNull(hash),
    code_hash: orNull(hash),
    code_length: Type.Integer({ minimum: 0 }),
    implementation: orNull(Type.String()),
    /** Consensus time (`seconds.nanos`) as of which the code was read. */
    code_as_of: Type.String(),
  }),
  /** It matches, and what is stored matches as well or better. */
  MatchNotImproved: object({ ...step, match }),
  VerificationRejected: object(failure),
  /** What was verified on the chain before is verified no more: the network was reset. */
  ChainForgotten: object({ chain, at: instant }),
} as const satisfies Record<VerificationEventType, TSchema>

export type VerificationEventData<T extends VerificationEventType> = Static<(typeof verificationEventSchemas)[T]>
