import { afterEach, expect, it, vi } from 'vitest'
import { recordOf, transactionRecorded } from '#test/support/events.ts'
import { askUntil } from '../support.ts'
import { TestDeployment } from './deployment.ts'

// Each verb is a process of its own.
vi.setConfig({ testTimeout: 60_000 })

const deployment = new TestDeployment()
afterEach(() => deployment.close())

const recordAt = (second: number) =>
  recordOf('TransactionRecorded', transactionRecorded({ consensusTimestamp: BigInt(second) * 1_000_000_000n }))

interface Transactions {
  readonly transactions: readonly { readonly consensus_timestamp: string }[]
}

it('a projector that only brings all to the end leaves a serving process what it stands by for, and both have every event', async () => {
  await deployment.record([recordAt(1_700_000_001)])
  await deployment.adopt()
  await deployment.append([recordAt(1_700_000_002)])
  const serve = deployment.start('serve', '--port', '0')
  try {
    const [, url] = await serve.printed(/API of network "made-up" at (\S+)/)
    await vi.waitFor(() => expect(serve.err).toMatch(/"projection":"status".*"msg":"kept up to date here"/), 20_000)

    const projected = await deployment.start('project', '--once').finished
    expect(projected.code, projected.err).toBe(0)
    expect(projected.err).toMatch(/"projection":"status".*left to the serving process that keeps it up to date/)
    const newest = `${url}/transactions?limit=1`
    await askUntil<Transactions>(newest, ({ transactions: [first] }) => {
      return first?.consensus_timestamp === '1700000002.000000000'
    })

    const { code, out } = await deployment.verb('status', '--json')
    expect(code).toBe(0)
    const { instances } = JSON.parse(out) as { instances: { name: string; position: number; head: number }[] }
    expect(instances.filter(({ position, head }) => position !== head)).toEqual([])
    expect(instances.map(({ name }) => name)).toEqual(expect.arrayContaining(['status', 'transactions']))
  } finally {
    expect((await serve.stop('SIGTERM')).code).toBe(0)
  }
})
