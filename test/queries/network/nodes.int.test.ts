import { afterEach, describe, expect, it } from 'vitest'
import { networkProjection } from '#projections/network/projection.ts'
import { networkRoutes } from '#queries/network/routes.ts'
import type { LogRecord } from '#src/ports/message-log.ts'
import { type ModelApp, openModelApp } from '#test/http/model-app.ts'
import { transaction } from '#test/projections/hooks/story.ts'
import { book } from '#test/projections/network/story.ts'

const apps: ModelApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

async function open(records: readonly LogRecord[], boundTime?: bigint): Promise<ModelApp> {
  const app = await openModelApp(networkProjection, networkRoutes, records, boundTime)
  apps.push(app)
  return app
}

const updated = (time: bigint, contents: Buffer) => transaction(time, 19, 102n, { fileUpdate: { contents } })
const nodeCreated = (time: bigint, nodeId: bigint) =>
  transaction(time, 54, null, {
    record: { receipt: { nodeId } },
    nodeCreate: { accountId: { accountNum: 77n, alias: null }, associatedRegisteredNode: [3n] },
  })
const nodeUpdated = (time: bigint, nodeId: bigint) =>
  transaction(time, 55, null, { nodeUpdate: { nodeId, description: null, declineReward: true } })
const staked = (time: bigint, nodeId: bigint, stake: bigint) => {
  const amounts = { maxStake: 9n, minStake: -1n, rewardRate: 2n, stake, stakeNotRewarded: -1n, stakeRewarded: 4n }
  const endOfStakingPeriod = { seconds: 86_399n, nanos: 999_999_999 }
  return transaction(time, 51, null, { nodeStakeUpdate: { endOfStakingPeriod, nodeStake: [{ nodeId, ...amounts }] } })
}
const idsOf = (body: Record<string, unknown>) => (body['nodes'] as { node_id: number }[]).map(({ node_id }) => node_id)
const nodes = '/api/v1/network/nodes'

describe('/network/nodes', () => {
  it('joins the newest address book with nodes and the newest stakes', async () => {
    const app = await open([updated(10n, book(0, 1)), nodeCreated(20n, 1n), staked(30n, 0n, 1n), staked(40n, 1n, 5n)])
    const [first, second] = (await app.get(nodes))['nodes'] as object[]
    expect(first).toMatchObject({
      node_id: 0,
      node_account_id: '0.0.3',
      admin_key: null,
      decline_reward: null,
      stake: null,
      staking_period: null,
      associated_registered_nodes: [],
    })
    expect(second).toMatchObject({
      node_id: 1,
      node_account_id: '0.0.77',
      associated_registered_nodes: [3],
      decline_reward: false,
      max_stake: 9,
      min_stake: null,
      stake: 5,
      stake_not_rewarded: null,
      reward_rate_start: 2,
      node_cert_hash: '0xfeed',
      public_key: '0xabcd',
      staking_period: { from: '86400.000000000', to: '172800.000000000' },
      timestamp: { from: '0.000000011', to: null },
    })
  })

  it('lists ten nodes unless told otherwise and never more than 25', async () => {
    const app = await open([updated(10n, book(...Array.from({ length: 30 }, (_, id) => id)))])
    const page = await app.get(nodes)
    expect(idsOf(page)).toHaveLength(10)
    expect(page['links']).toEqual({ next: `${nodes}?node.id=gt:9` })
    expect(idsOf(await app.get(`${nodes}?limit=100`))).toHaveLength(25)
    expect(idsOf(await app.get(`${nodes}?order=desc&limit=2&node.id=lt:7`))).toEqual([6, 5])
    expect(idsOf(await app.get(`${nodes}?node.id=3&node.id=5&node.id=gt:3`))).toEqual([5])
  })

  it('answers as of when the request began, whatever was committed since', async () => {
    const story = [updated(10n, book(0, 1)), nodeCreated(20n, 1n), staked(30n, 1n, 5n)]
    const later = [nodeUpdated(40n, 1n), nodeCreated(45n, 0n), staked(50n, 1n, 6n), updated(60n, book(1))]
    const [then, now] = [await open([...story, ...later], 30n), await open(story)]
    expect(await then.get(nodes)).toEqual(await now.get(nodes))
  })

  it('refuses what it cannot read by name, and what does not go together in words', async () => {
    const app = await open([])
    const refused = async (query: string) =>
      ((await app.get(`${nodes}?${query}`, 400))['_status'] as { messages: object[] }).messages
    expect(await refused('limit=abc')).toEqual([{ message: 'Invalid parameter: limit' }])
    expect(await refused('node.id=ne:3')).toEqual([{ message: 'Invalid parameter: node.id' }])
    expect(await refused('limit=0')).toEqual([{ message: 'Invalid parameter: limit' }])
    const detailed = (detail: string) => [{ message: 'Bad Request', detail }]
    expect(await refused('limit=1&limit=2')).toEqual(detailed('Only a single instance is supported for limit'))
    expect(await refused('node.id=gt:3&node.id=lt:3')).toEqual(detailed('Invalid range provided for node.id'))
  })
})

describe('/network/registered-nodes', () => {
  const path = '/api/v1/network/registered-nodes'
  const registered = (time: bigint, id: bigint, kind: object) =>
    transaction(time, 78, null, {
      record: { receipt: { registeredNodeId: id } },
      registeredNodeCreate: { serviceEndpoint: [{ domainName: 'a.example', port: 1n, ...kind }] },
    })
  const deleted = (time: bigint, registeredNodeId: bigint) =>
    transaction(time, 80, null, { registeredNodeDelete: { registeredNodeId } })
  const story = [1n, 2n, 3n, 4n].map((id) =>
    registered(id, id, id % 2n === 0n ? { mirrorNode: {} } : { blockNode: { endpointApi: [1] } }),
  )
  const listed = ({ registered_nodes: nodes }: Record<string, unknown>) =>
    (nodes as { registered_node_id: number }[]).map(({ registered_node_id: id }) => id)

  it('leaves deleted nodes out and fills the page with those that follow', async () => {
    const app = await open([...story, deleted(10n, 2n)])
    expect(listed(await app.get(`${path}?limit=2`))).toEqual([1, 3])
    expect(listed(await app.get(`${path}?type=mirror_node&limit=1`))).toEqual([4])
    expect((await app.get(`${path}?limit=2`))['links']).toEqual({ next: `${path}?limit=2&registerednode.id=gt:3` })
  })

  it('answers as of when the request began, whatever was committed since', async () => {
    const then = await open([...story, deleted(10n, 2n), registered(11n, 5n, {})], 4n)
    const now = await open(story)
    for (const query of ['', '?limit=2', '?order=desc&limit=2', '?type=mirror_node', '?registerednode.id=2'])
      expect(await then.get(path + query)).toEqual(await now.get(path + query))
  })

  it('refuses an equal number beside others, and bounds that leave nothing', async () => {
    const app = await open(story)
    const detail = async (query: string) =>
      ((await app.get(`${path}?${query}`, 400))['_status'] as { messages: { detail: string }[] }).messages[0]?.detail
    const messages = async (query: string) =>
      ((await app.get(`${path}?${query}`, 400))['_status'] as { messages: object[] }).messages
    expect(await messages('limit=101')).toEqual([{ message: 'Invalid parameter: limit' }])
    const mixed = "The 'eq' operator cannot be combined with other operators"
    expect(await detail('registerednode.id=1&registerednode.id=gt:1')).toBe(mixed)
    expect(await detail('registerednode.id=1&registerednode.id=2')).toBe(mixed)
    expect(await detail('registerednode.id=gt:3&registerednode.id=lt:2')).toBe(
      'Invalid range: lower bound exceeds upper bound',
    )
  })
})
