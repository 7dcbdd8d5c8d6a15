import { objectSchema } from '#queries/common/object-schema.ts'
import type { Answer, NoParameters, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { type CallBody, callPayload } from '#queries/contract-calls/body/call-body.ts'
import { assertOverridable, findPlace, overriddenRequest, runningCalls } from '#queries/contract-calls/prepare-call.ts'
import { type CallContext, callReads } from '#queries/contract-calls/reads.ts'
import { renderOutcome } from '#queries/contract-calls/render.ts'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'

const parameters = {}

type Request = QueryRequest<typeof parameters, NoParameters, CallBody>

const hex = { type: 'string', description: '0x and hex digits' }

export const callRoute = defineRoute({
  method: 'POST',
  path: '/contracts/call',
  summary: 'Run a contract call, or estimate its gas, without changing the ledger',
  tag: 'contracts',
  dialect: 'B-call',
  parameters,
  payload: callPayload(defaultCallSettings.gasMax),
  maxAge: 0,
  body: objectSchema(
    {
      result: { type: 'string', description: 'What the call returned, or the gas that it needs' },
      access_list: {
        type: 'array',
        description: 'What it touched, where that is asked for',
        items: objectSchema(
          { address: hex, storage_keys: { type: 'array', items: hex } },
          { title: 'AccessListEntry' },
        ),
      },
      gas_used: { ...hex, description: 'Gas of a call with this list' },
    },
    { optional: ['access_list', 'gas_used'] },
  ),
  statuses: {
    429: 'Too many requests, or too much gas, within a second',
    501: 'The call needs what the log does not say, or what this service does not run yet',
  },
  reads: callReads,
  answer,
})

async function answer({ payload }: Request, context: CallContext): Promise<Answer> {
  const evm = runningCalls(context)
  assertOverridable(payload.overrides, context)
  const gas = payload.gas ?? context.settings.contractCalls.gasMax
  const giveBack = evm.throttle.take(gas)
  const { state, settings } = await findPlace(payload.block, context)
  const { estimate: isEstimate, showsAccess } = payload
  const request = overriddenRequest(payload, gas)
  const { outcome, accessList } = showsAccess
    ? await evm.threads.run({ kind: 'access', request, settings, isEstimate }, state)
    : {
        outcome: await evm.threads.run({ kind: isEstimate ? 'estimate' : 'call', request, settings }, state),
        accessList: undefined,
      }
  giveBack(typeof outcome === 'bigint' ? outcome : outcome.gasUsed)
  return { ...renderOutcome(outcome, accessList), dependsOnClock: true }
}
