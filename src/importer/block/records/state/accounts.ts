import { FieldReader } from '#src/domain/field-reader.ts'
import { idText, type MessageId, readId } from '#src/importer/block/records/ids.ts'
import { stateId } from '#src/importer/block/records/state/state-changes.ts'
import type { StateContext, StateView } from '#src/importer/block/records/state/state-context.ts'

interface ChangedAccounts {
  readonly byAlias: ReadonlyMap<string, MessageId>
  /** Of contracts alone. */
  readonly contractsByAlias: ReadonlyMap<string, MessageId>
  readonly aliases: ReadonlyMap<string, Buffer>
}

const accounts: StateView<ChangedAccounts> = (context) => {
  const byAlias = new Map<string, MessageId>()
  const contractsByAlias = new Map<string, MessageId>()
  const aliases = new Map<string, Buffer>()
  for (const { value } of context.changesOf(stateId.accounts)) {
    if (value === undefined) continue
    const { id, alias, isContract } = readAccount(value, context)
    if (id === undefined || alias === undefined || alias.length === 0) continue
    if (!aliases.has(idText(id))) aliases.set(idText(id), alias)
    ;(isContract ? contractsByAlias : byAlias).set(alias.toString('latin1'), id)
  }
  return { byAlias, contractsByAlias, aliases }
}

function readAccount(value: Buffer, { fail }: StateContext) {
  const fields = new FieldReader(value, fail)
  let id: MessageId | undefined
  let alias: Buffer | undefined
  let isContract = false
  while (fields.next()) {
    if (fields.field === 1) id = readId(fields.bytes(), fail)
    else if (fields.field === 2) alias = fields.bytes()
    else if (fields.field === 21) isContract = fields.int32() !== 0
  }
  return { id, alias, isContract }
}

/** The account that a changed alias names. */
export function accountOfAlias(context: StateContext, alias: Buffer): MessageId | undefined {
  return context.view(accounts).byAlias.get(alias.toString('latin1'))
}

/** The contract that an address names. */
export function contractOfAddress(context: StateContext, address: Buffer): MessageId | undefined {
  return context.view(accounts).contractsByAlias.get(address.toString('latin1'))
}

/** Alias of a changed account, or address of a changed contract. */
export function aliasOf(context: StateContext, id: MessageId): Buffer | undefined {
  return context.view(accounts).aliases.get(idText(id))
}
