import { accountBalanceParameter, publicKeyParameter } from '#queries/common/account-parameters.ts'
import { entityIdParameter } from '#queries/common/entity-id-parameter.ts'
import { booleanParameter, limitParameter, orderParameter } from '#queries/common/parameters.ts'
import { listParameters as transactionParameters } from '#queries/transactions/params.ts'

export const accountListParameters = {
  'account.balance': accountBalanceParameter,
  'account.id': entityIdParameter('account.id', 'Only accounts whose id compares so; equal values form a set.'),
  'account.publickey': publicKeyParameter(
    'account.publickey',
    'Only accounts whose key compares so: 64, 66 or 88 (DER-wrapped Ed25519) hex digits; of several all must hold.',
  ),
  balance: booleanParameter('balance', 'Whether to tell balances; true unless given.'),
  limit: limitParameter(),
  order: orderParameter('asc'),
}

export const accountDetailParameters = {
  limit: limitParameter(),
  order: orderParameter('desc'),
  timestamp: transactionParameters.timestamp,
  transactions: booleanParameter('transactions', 'Whether to list the transactions; true unless given.'),
  transactiontype: transactionParameters.transactiontype,
}
