import { invalidParameters } from '#queries/common/errors.ts'
import { defineListRoute } from '#queries/common/list-route.ts'
import { findAddresses, findPartyId } from '#queries/contracts/find-contract.ts'
import { findState } from '#queries/contracts/find-state.ts'
import { contractPath, stateParameters } from '#queries/contracts/params.ts'
import { contractReads } from '#queries/contracts/reads.ts'
import { slotObject } from '#queries/contracts/render.ts'
import { numberOfWord } from '#src/domain/evm-words.ts'

export const stateRoute = defineListRoute({
  path: '/contracts/:contractid/state',
  pathParameters: { contractid: contractPath },
  summary: 'List the storage slots of a contract, now or at a time',
  tag: 'contracts',
  checksFirst: 'path',
  parameters: stateParameters,
  maxAge: 1,
  item: slotObject.schema,
  title: 'ContractState',
  reads: contractReads,
  list: 'state',
  find: async (request, context) => {
    if (request.filters.timestamp.some(({ operator }) => operator === 'ne'))
      throw invalidParameters(['Not equals (ne) operator is not supported for timestamp'])
    const { entities } = context.rows
    const contract = await findPartyId(entities, request.params.contractid)
    if (contract === undefined) return []
    const slots = await findState(contract, request, context)
    const address = (await findAddresses(entities, [contract])).get(contract)
    return slots.map((slot) => ({ ...slot, contract, address }))
  },
  render: slotObject.render,
  position: ({ slot }) => ({ slot: numberOfWord(slot) }),
})
