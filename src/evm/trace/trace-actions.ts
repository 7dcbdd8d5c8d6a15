import type { CallRequest, CallResult, CallSettings } from '#src/evm/call-request.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import { openWorld, runOn } from '#src/evm/run-call.ts'
import { ActionsEvm } from '#src/evm/trace/actions-evm.ts'
import type { TextSink } from '#src/evm/trace/trace-call.ts'

/** Runs a call, and tells the calls that it made as one text; nothing where it was refused before it began. */
export async function traceActions(
  request: CallRequest,
  state: LedgerState,
  settings: CallSettings,
  { texts, onlyTopCall }: { readonly texts: TextSink; readonly onlyTopCall: boolean },
): Promise<CallResult> {
  const world = await openWorld(request, state, settings)
  const openEvm = (options: ConstructorParameters<typeof ActionsEvm>[0]) => new ActionsEvm(options, texts, onlyTopCall)
  return (await runOn(world, request, settings, { openEvm })).result
}
