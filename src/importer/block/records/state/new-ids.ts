import { FieldReader } from '#src/domain/field-reader.ts'
import { idText, type MessageId, readId } from '#src/importer/block/records/ids.ts'
import { stateId } from '#src/importer/block/records/state/state-changes.ts'
import type { StateContext, StateView } from '#src/importer/block/records/state/state-context.ts'

/**
 * Ids of entities that a family may have created, ascending, to be claimed from the end: numbers rise, so that whatever else
 * changed lies before the new ones.
 */
function idsOf(state: number): StateView<MessageId[]> {
  return (context) => {
    const ids = new Map<string, MessageId>()
    for (const { key, value } of context.changesOf(state)) {
      const id = value && readId(key, context.fail)
      if (id) ids.set(idText(id), id)
    }
    return [...ids.values()].sort((a, b) => ((a.number ?? 0n) < (b.number ?? 0n) ? -1 : 1))
  }
}

const files = idsOf(stateId.files)
const tokens = idsOf(stateId.tokens)
const topics = idsOf(stateId.topics)

export const claimFile = (context: StateContext): MessageId | undefined => context.view(files).pop()
export const claimToken = (context: StateContext): MessageId | undefined => context.view(tokens).pop()
export const claimTopic = (context: StateContext): MessageId | undefined => context.view(topics).pop()

/** The one number that a key of nodes has. */
function numbersOf(state: number, context: StateContext): bigint[] {
  const numbers = new Set<bigint>()
  for (const { key, value } of context.changesOf(state)) {
    if (value === undefined) continue
    const fields = new FieldReader(key, context.fail)
    let number = 0n
    while (fields.next()) if (fields.field === 1) number = fields.int64()
    numbers.add(number)
  }
  return [...numbers]
}

const nodes: StateView<bigint[]> = (context) => numbersOf(stateId.nodes, context).sort((a, b) => (a < b ? -1 : 1))
/** In the order in which they were written. */
const registeredNodes: StateView<bigint[]> = (context) => numbersOf(stateId.registeredNodes, context)

export const claimNode = (context: StateContext): bigint | undefined => context.view(nodes).pop()
export const claimRegisteredNode = (context: StateContext): bigint | undefined => context.view(registeredNodes).pop()
