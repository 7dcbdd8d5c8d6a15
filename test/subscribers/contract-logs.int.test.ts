import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqliteLog } from '#src/adapters/sqlite/message-log.ts'
import { isUnitTransfer, logsOn, publishLogs } from '#test/subscribers/published-logs.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

it('all transfers of a token that are published add up to the balances that the API answers', async () => {
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
  } finally {
    await ledger.close()
    await folder.remove()
  }
})
