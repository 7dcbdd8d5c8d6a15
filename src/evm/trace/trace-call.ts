import { hexOf } from '#src/domain/bytes.ts'
import type { LedgerState } from '#src/evm/ledger-state.ts'
import { runCall } from '#src/evm/run-call.ts'
import type { TraceJob } from '#src/evm/threads/messages.ts'
import { RecordedCalls } from '#src/evm/trace/recorded-calls.ts'
import { StepTexts } from '#src/evm/trace/step-text.ts'
import { type StepSink, TracedEvm } from '#src/evm/trace/traced-evm.ts'

/** What takes the text of a trace. */
export interface TextSink {
  write(text: string): void
  room(): Promise<void> | undefined
}

/** Runs a transaction again on the state before it, and tells each step as it was made, how it ended last. */
export async function traceCall(
  { request, settings, shown, newContract, recorded, head }: TraceJob,
  state: LedgerState,
  texts: TextSink,
): Promise<undefined> {
  const steps = new StepTexts(shown)
  let before = `${head}"opcodes":[`
  const sink: StepSink = {
    write: (step) => {
      texts.write(before + steps.textOf(step))
      before = ','
    },
    room: () => texts.room(),
  }
  const { response, gasUsed, output } = await runCall(request, state, settings, {
    replayed: { newContract },
    openEvm: (options) => new TracedEvm({ ...options, recorded: recorded && new RecordedCalls(recorded) }, sink),
  })
  const hasFailed = response !== 'SUCCESS'
  const returned = hasFailed ? '' : hexOf(output)
  if (before !== ',') texts.write(before)
  texts.write(`],"failed":${hasFailed},"gas":${gasUsed},"return_value":"0x${returned}"}`)
  return undefined
}
