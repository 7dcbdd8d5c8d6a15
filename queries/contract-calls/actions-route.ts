import { objectSchema } from '#queries/common/object-schema.ts'
import { PartPipe } from '#queries/common/part-pipe.ts'
import type { Answer, NoParameters, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { type ActionsBody, actionsPayload } from '#queries/contract-calls/body/actions-body.ts'
import { assertOverridable, findPlace, overriddenRequest, runningCalls } from '#queries/contract-calls/prepare-call.ts'
import { type CallContext, callReads } from '#queries/contract-calls/reads.ts'
import { renderOutcome } from '#queries/contract-calls/render.ts'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { LedgerError } from '#src/domain/errors.ts'

const parameters = {}

type Request = QueryRequest<typeof parameters, NoParameters, ActionsBody>

const hex = { type: 'string', description: '0x and hex digits' }
const nullable = { ...hex, nullable: true }

export const actionsRoute = defineRoute({
  method: 'POST',
  path: '/contracts/call/actions',
  summary: 'Run a contract call, and list the calls that it makes; compressed by gzip',
  tag: 'contracts',
  dialect: 'B-call',
  parameters,
  payload: actionsPayload(defaultCallSettings.gasMax),
  maxAge: 0,
  body: objectSchema(
    {
      calls: { type: 'array', items: { type: 'object' }, description: 'What it called, each in the same form' },
      error: { type: 'string', nullable: true, description: 'Why it halted' },
      from: hex,
      gas: hex,
      gas_used: hex,
      input: hex,
      output: hex,
      revert_reason: nullable,
      to: nullable,
      type: { type: 'string', enum: ['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2'] },
      value: { ...hex, description: 'Tinybars' },
    },
    { title: 'Action' },
  ),
  statuses: {
    406: 'The client does not accept gzip',
    429: 'Too many requests, or too much gas, within a second',
    501: 'The call needs what the log does not say, or calls are not traced here',
  },
  reads: callReads,
  answer,
})

async function answer({ payload, acceptsGzip }: Request, context: CallContext): Promise<Answer> {
  const { traces, gasMax } = context.settings.contractCalls
  const evm = runningCalls(context, traces)
  if (!acceptsGzip) throw new LedgerError('not_acceptable', 'Accept-Encoding: gzip header is required')
  assertOverridable(payload.call.overrides, context)
  const gas = payload.call.gas ?? gasMax
  const giveBack = evm.throttle.take(gas)
  const { state, settings } = await findPlace(payload.call.block, context)
  const pipe = new PartPipe()
  const { onlyTopCall, timeoutMs } = payload
  const request = overriddenRequest(payload.call, gas)
  const done = evm.threads.run({ kind: 'actions', request, settings, onlyTopCall } as const, state, {
    takePart: (part) => pipe.push(part),
    deadlineMs: timeoutMs,
  })
  done.then(
    ({ result }) => {
      giveBack(result.gasUsed)
      pipe.end()
    },
    (error: unknown) => pipe.fail(error),
  )
  const first = await Promise.race([pipe.begun, done])
  if (first !== undefined && !first.isTold) return { ...renderOutcome(first.result), dependsOnClock: true }
  return { body: '', parts: pipe, dependsOnClock: true }
}
