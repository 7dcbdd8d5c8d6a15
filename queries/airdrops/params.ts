import { accountPath } from '#queries/common/account-path.ts'
import {
  entityParameterOfB,
  limitParameterOfB,
  numberParameterOfB,
  orderParameterOfB,
} from '#queries/common/parameters-of-b.ts'

const most = 2

const common = {
  limit: limitParameterOfB(),
  order: orderParameterOfB('asc'),
  serialnumber: numberParameterOfB({
    name: 'serialnumber',
    description:
      'Only airdrops of NFTs whose serial number compares so; a bound refines the one of token.id on its side.',
    most: { field: 'serialNumbers', count: most },
  }),
  'token.id': entityParameterOfB({
    name: 'token.id',
    description: 'Only airdrops of tokens whose id compares so; a bound refines the one of the account on its side.',
    most: { field: 'tokenIds', count: most },
  }),
}

export const outstandingParameters = {
  'receiver.id': entityParameterOfB({
    name: 'receiver.id',
    description: 'Only airdrops to receivers whose id compares so.',
    most: { field: 'receiverIds', count: most },
  }),
  ...common,
}

export const pendingParameters = {
  'sender.id': entityParameterOfB({
    name: 'sender.id',
    description: 'Only airdrops of senders whose id compares so.',
    most: { field: 'senderIds', count: most },
  }),
  ...common,
}

export const partyPath = { id: accountPath('B') }
