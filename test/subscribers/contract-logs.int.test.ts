import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { formatLedgerTime } from '#src/domain/ledger-time.ts'
import { isUnitTransfer, logsOn, publishLogs } from '#test/subscribers/published-logs.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** What is published of a log and what the API says of it are found by each other's consensus time and index. */
async function isJoined(app: FastifyInstance, logs: Awaited<ReturnType<typeof logsOn>>): Promise<void> {
  const joint = ({ consensusTimestamp, index }: { consensusTimestamp: bigint; index: number }) =>
    `${consensusTimestamp}/${index}`
  expect(new Set(logs.map(joint)).size).toBe(logs.length)
  for (const log of logs.filter((_, at) => at % 20 === 0)) {
    const time = formatLedgerTime(log.consensusTimestamp)
    const answer = await app.inject(`/api/v1/contracts/results/logs?timestamp=${time}&limit=100`)
    const found = answer.json().logs.filter(({ index }: { index: number }) => index === log.index)
    const topics = log.topics.map((topic) => `0x${topic.toString('hex')}`)
    expect(found).toMatchObject([{ timestamp: time, topics, contract_id: `0.0.${log.contractId}` }])
  }
}

it('all transfers of a token that are published add up to the balances that the API answers, and each log is found there', async () => {
  const folder = await temporaryFolder()
  const open = () => openSqliteLog({ folder: join(folder.path, 'contract-logs') })
  const { ledger, tokens } = await publishLogs(folder.path, open)
  try {
    const app = ledger.app()
    const logs = await logsOn(open())
    expect(tokens.length).toBeGreaterThan(3)
    for (const token of tokens) {
      const sums = new Map<string, bigint>()
      for (const { topics, data } of logs.filter((log) => log.contractId === token && isUnitTransfer(log))) {
        const amount = BigInt(`0x0${data.toString('hex')}`)
        const [from, to] = topics.slice(1).map((topic) => `0x${topic.subarray(12).toString('hex')}`)
        sums.set(from!, (sums.get(from!) ?? 0n) - amount)
        sums.set(to!, (sums.get(to!) ?? 0n) + amount)
      }
      sums.delete(`0x${'00'.repeat(20)}`)
      const held = new Map<string, bigint>()
      const { balances } = (await app.inject(`/api/v1/tokens/0.0.${token}/balances?limit=100`)).json()
      for (const { account, balance } of balances) {
        const { evm_address: address } = (await app.inject(`/api/v1/accounts/${account}?transactions=false`)).json()
        held.set(address, BigInt(balance))
      }
      const inOrder = (each: Map<string, bigint>) => [...each].filter(([, units]) => units !== 0n).sort()
      expect(inOrder(sums), `token ${token}`).toEqual(inOrder(held))
    }
    await isJoined(app, logs)
  } finally {
    await ledger.close()
    await folder.remove()
  }
}, 180_000)
