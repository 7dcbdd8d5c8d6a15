import { accountPath } from '#queries/common/account-path.ts'
import { type EntityReference, entityIdParameter } from '#queries/common/entity-id-parameter.ts'
import { type Filter, limitParameter, orderParameter } from '#queries/common/parameters.ts'

const spender = entityIdParameter('spender.id', 'Only allowances of spenders whose id compares so.')

export const hbarParameters = { limit: limitParameter(), order: orderParameter('desc'), 'spender.id': spender }

export const tokenParameters = {
  limit: limitParameter(),
  order: orderParameter('asc'),
  'spender.id': spender,
  'token.id': entityIdParameter(
    'token.id',
    'Only allowances of tokens whose id compares so; needs spender.id, with a bound on the same side.',
  ),
}

export const ownerPath = { idOrAliasOrEvmAddress: accountPath('A') }

/** The ids of conditions; an address that is no number is nobody's, as established clients know it. */
export function idsOf(filters: readonly Filter<EntityReference>[]): Filter<bigint | undefined>[] {
  return filters.map(({ operator, value }) => ({ operator, value: value.kind === 'id' ? value.id : undefined }))
}
