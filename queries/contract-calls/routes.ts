import { objectSchema } from '#queries/common/object-schema.ts'
import type { Answer, NoParameters, QueryRequest } from '#queries/common/route.ts'
import { defineRoute } from '#queries/common/route.ts'
import { type CallBody, callPayload } from '#queries/contract-calls/call-body.ts'
import { findCallBlock } from '#queries/contract-calls/find-block.ts'
import { ledgerAt } from '#queries/contract-calls/ledger-at.ts'
import { type CallContext, callReads } from '#queries/contract-calls/reads.ts'
import { renderOutcome } from '#queries/contract-calls/render.ts'
import { defaultCallSettings } from '#queries/contract-calls/settings.ts'
import { LedgerError } from '#src/domain/errors.ts'
import { rulesAt, rulesOf } from '#src/evm/rules.ts'

const parameters = {}

type CallRequest = QueryRequest<typeof parameters, NoParameters, CallBody>

const callRoute = defineRoute({
  method: 'POST',
  path: '/contracts/call',
  summary: 'Run a contract call, or estimate its gas, without changing the ledger',
  tag: 'contracts',
  family: 'B-call',
  parameters,
  payload: callPayload(defaultCallSettings.gasMax),
  maxAge: 0,
  body: objectSchema({ result: { type: 'string', description: 'What the call returned, or the gas that it needs' } }),
  statuses: {
    429: 'Too many requests, or too much gas, within a second',
    501: 'The call needs what the log does not say, or what this service does not run yet',
  },
  reads: callReads,
  answer,
})

async function answer({ payload }: CallRequest, context: CallContext): Promise<Answer> {
  const { evm, settings } = context
  if (evm === undefined) throw new LedgerError('not_implemented', 'This process runs no contracts')
  const { network, evmVersion, validatePayerBalance } = settings.contractCalls
  const gas = payload.gas ?? settings.contractCalls.gasMax
  const giveBack = evm.throttle.take(gas)
  const block = await findCallBlock(payload.block, context)
  const rules = (evmVersion === undefined ? undefined : rulesOf(evmVersion)) ?? rulesAt(network, block.number)
  const { from, to, data, gasPrice, value, estimate } = payload
  const outcome = await evm.threads.run(
    {
      kind: estimate ? 'estimate' : 'call',
      request: { from, to, data, gas, gasPrice, value },
      settings: { rules, chainId: Number(settings.chainId), validatePayerBalance },
    },
    ledgerAt(block, context),
  )
  giveBack(typeof outcome === 'bigint' ? outcome : outcome.gasUsed)
  return { ...renderOutcome(outcome), dependsOnClock: true }
}

export const contractCallRoutes = [callRoute]
