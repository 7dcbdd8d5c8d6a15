import { bookUpload, stateBook, uploadBook } from '#projections/network/address-books.ts'
import { changedNode, changeNode, stateNode } from '#projections/network/nodes.ts'
import {
  changedRegisteredNode,
  changeRegisteredNode,
  stateRegisteredNode,
} from '#projections/network/registered-nodes.ts'
import { networkSchema } from '#projections/network/schema.ts'
import type { NodeStake, NodeStakeEntry, TransactionRecorded } from '#schemas/events/types.ts'
import { transactionType } from '#src/domain/transaction-types.ts'
import { timeOf } from '#src/events/ids.ts'
import { hasSucceeded } from '#src/events/success.ts'
import { defineProjection, type FoldedRows } from '#src/runtime/fold/projection.ts'

const reads = [
  'type',
  'successful',
  'result',
  'consensusTimestamp',
  'nonce',
  'entityId',
  'record',
  'fileCreate',
  'fileUpdate',
  'fileAppend',
  'nodeStakeUpdate',
  'nodeCreate',
  'nodeUpdate',
  'nodeDelete',
  'registeredNodeCreate',
  'registeredNodeUpdate',
  'registeredNodeDelete',
] as const

type Facts = Pick<TransactionRecorded, (typeof reads)[number]>

const networkTypes: ReadonlySet<number> = new Set([
  transactionType.fileAppend,
  transactionType.fileCreate,
  transactionType.fileUpdate,
  transactionType.nodeStakeUpdate,
  transactionType.nodeCreate,
  transactionType.nodeUpdate,
  transactionType.nodeDelete,
  transactionType.registeredNodeCreate,
  transactionType.registeredNodeUpdate,
  transactionType.registeredNodeDelete,
])

const concerns = (facts: Facts): boolean => networkTypes.has(facts.type) && hasSucceeded(facts)

/** The nodes of the network, from its address books and the transactions that change nodes, and as stated. */
export const networkProjection = defineProjection(networkSchema)
  .on('TransactionRecorded', {
    reads,
    apply: (facts, rows) => {
      if (!concerns(facts)) return
      const { consensusTimestamp: time, nodeStakeUpdate } = facts
      const upload = bookUpload(facts)
      if (upload) uploadBook(rows, upload, time)
      const node = changedNode(facts)
      if (node !== undefined) changeNode(rows, node, facts)
      const registered = changedRegisteredNode(facts)
      if (registered !== undefined) changeRegisteredNode(rows, registered, facts)
      const period = nodeStakeUpdate?.endOfStakingPeriod
      if (nodeStakeUpdate) putStakes(rows, nodeStakeUpdate.nodeStake, time, period ? timeOf(period) : 0n)
    },
  })
  .on('AddressBookSnapshotted', {
    reads: ['fileId', 'contents', 'asOf', 'validTo', 'nodeCount', 'entries'],
    apply: (stated, rows) => stateBook(rows, stated),
  })
  .on('NodeSnapshotted', {
    reads: [
      'nodeId',
      'asOf',
      'validTo',
      'accountId',
      'adminKey',
      'associatedRegisteredNodes',
      'createdTimestamp',
      'declineReward',
      'deleted',
      'grpcProxyEndpoint',
    ],
    apply: (stated, rows) => stateNode(rows, stated),
  })
  .on('RegisteredNodeSnapshotted', {
    reads: [
      'registeredNodeId',
      'asOf',
      'validTo',
      'adminKey',
      'createdTimestamp',
      'deleted',
      'description',
      'types',
      'serviceEndpoints',
    ],
    apply: (stated, rows) => stateRegisteredNode(rows, stated),
  })
  .on('NodeStakesSnapshotted', {
    reads: ['asOf', 'nodes'],
    apply: ({ asOf, nodes }, rows) => {
      for (const node of nodes) putStakes(rows, [node], asOf, node.stakingPeriod)
    },
  })

/** An update without nodes says nothing of them. */
function putStakes(
  rows: FoldedRows<typeof networkSchema>,
  nodes: readonly (NodeStake | NodeStakeEntry)[],
  time: bigint,
  stakingPeriod: bigint,
): void {
  for (const { nodeId, maxStake, minStake, rewardRate, stake, stakeNotRewarded, stakeRewarded } of nodes) {
    const amounts = { maxStake, minStake, rewardRate, stake, stakeNotRewarded, stakeRewarded }
    rows.put('nodeStakes', { time, nodeId, stakingPeriod, ...amounts })
  }
}
