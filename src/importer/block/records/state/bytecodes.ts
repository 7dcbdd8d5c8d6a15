import { fieldValue } from '#src/importer/block/records/field-values.ts'
import { idText, type MessageId, readId } from '#src/importer/block/records/ids.ts'
import { stateId } from '#src/importer/block/records/state/state-changes.ts'
import type { StateContext, StateView } from '#src/importer/block/records/state/state-context.ts'

const bytecodes: StateView<Map<string, Buffer>> = (context) => {
  const byContract = new Map<string, Buffer>()
  for (const { key, value } of context.changesOf(stateId.bytecode)) {
    const id = readId(key, context.fail)
    if (value && id) byContract.set(idText(id), fieldValue(value, 1, context.fail) ?? value.subarray(0, 0))
  }
  return byContract
}

/** The runtime bytecode that a contract was given. */
export function bytecodeOf(context: StateContext, contract: MessageId): Buffer | undefined {
  return context.view(bytecodes).get(idText(contract))
}
