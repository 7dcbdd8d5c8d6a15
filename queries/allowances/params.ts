import { accountPath } from '#queries/common/account-path.ts'
import { entityIdParameter } from '#queries/common/entity-id-parameter.ts'
import { limitParameter, orderParameter } from '#queries/common/parameters.ts'

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
