import { FieldReader } from '#src/domain/field-reader.ts'
import { idText, type MessageId, readId } from '#src/importer/block/records/ids.ts'
import { stateId } from '#src/importer/block/records/state/state-changes.ts'
import type { StateContext, StateView } from '#src/importer/block/records/state/state-context.ts'

/** Total supplies by token, as they were behind the transaction that is looked at. */
const supplies: StateView<Map<string, bigint>> = (context) => {
  const byToken = new Map<string, bigint>()
  for (const { value } of context.changesOf(stateId.tokens)) {
    if (value === undefined) continue
    const fields = new FieldReader(value, context.fail)
    let id: MessageId | undefined
    let supply = 0n
    while (fields.next()) {
      if (fields.field === 1) id = readId(fields.bytes(), context.fail)
      else if (fields.field === 5) supply = fields.int64()
    }
    if (id) byToken.set(idText(id), supply)
  }
  return byToken
}

/** Total supply of a token behind a transaction that changed it by so much; undefined where the state does not tell it. */
export function takeSupply(context: StateContext, token: MessageId, change: bigint): bigint | undefined {
  const byToken = context.view(supplies)
  const supply = byToken.get(idText(token))
  if (supply !== undefined) byToken.set(idText(token), supply - change)
  return supply
}
