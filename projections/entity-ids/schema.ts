import type { ProjectionSchema, RowOf } from '#src/ports/read-store.ts'

/** What the entity-ids module keeps. A read model that embeds it spreads these among its own collections. */
export const entityIdCollections = {
  /** Who has a name: an alias, or an EVM address (20 bytes). That of a deleted entity may be taken again. */
  entityNames: {
    kind: 'versioned',
    fields: {
      name: 'bytes',
      /** The holder. */
      id: 'int64',
      from: 'int64',
      /** When the holder gave it up; null while it has it. */
      until: 'int64?',
    },
    key: ['name'],
  },
  /** The names of an entity that has or had any. */
  namedEntities: { kind: 'state', fields: { id: 'int64', alias: 'bytes?', evmAddress: 'bytes?' }, key: ['id'] },
} as const

/** The shape of a read model that embeds the module, as far as the module's readers know it. */
export interface EntityIdSchema extends ProjectionSchema {
  readonly collections: typeof entityIdCollections
}

export type NameRow = RowOf<EntityIdSchema, 'entityNames'>

/** Whose name it was at a time (ns); undefined when nobody's. */
export function holderAt(row: NameRow | undefined, time: bigint): bigint | undefined {
  if (row === undefined || row.from > time) return undefined
  return row.until === null || row.until > time ? row.id : undefined
}
