import { afterEach, expect, it, vi } from 'vitest'
import { contractLogsProjection } from '#projections/contract-logs/projection.ts'
import { openSqliteReadStore } from '#src/adapters/sqlite/read-store.ts'
import {
  accountCreated,
  address,
  called,
  closed,
  contract,
  decoded,
  fungibleAbi,
  moved,
  native,
  nft,
  token,
  tokens,
} from '#test/projections/contract-logs/story.ts'
import { alice, bob } from '#test/support/events.ts'
import { allRowsOf } from '#test/support/folded-rows.ts'
import { TestDeployment } from './deployment.ts'

// Each verb is a process of its own.
vi.setConfig({ testTimeout: 60_000 })

const deployment = new TestDeployment()
afterEach(() => deployment.close())

async function logsOf(build: number) {
  const store = openSqliteReadStore({ folder: deployment.folder.store })
  const { logs = [] } = await allRowsOf(store, { ...contractLogsProjection.schema, build })
  await store.close()
  return logs
}

it('a projector and a rebuild make the logs of contracts that their settings say', async () => {
  const pair = (tokenId: bigint) => tokens(tokenId, [alice, -5n], [bob, 5n])
  await deployment.append([
    accountCreated(5n, alice, {}, { record: { evmAddress: Buffer.alloc(20, 0xab) } }),
    native(10n, { tokenTransfers: pair(token) }),
    native(11n, { tokenTransfers: [...pair(token), ...pair(2_005n)], nftTransfers: [moved(nft, alice, bob, 3n)] }),
    called(13n, contract, { logs: [{ contractID: { contractNum: contract }, bloom: Buffer.alloc(256, 1) }] }),
    closed(20n),
  ])
  const few = ['--contract-logs-multi-party', 'false', '--contract-logs-evm-addresses', 'false']
  const projected = await deployment.start('project', '--once', '--only', 'contract-logs', ...few).finished
  expect(projected.code, projected.err).toBe(0)
  const [made, recorded] = await logsOf(1)
  expect([made?.['time'], recorded?.['time']]).toEqual([10n, 13n])
  expect(decoded(fungibleAbi, made!)).toMatchObject({ from: address(alice), to: address(bob), value: 5n })

  const rebuilt = await deployment.verb('rebuild', 'contract-logs', '--contract-logs-made', 'false')
  expect(rebuilt.code, rebuilt.err).toBe(0)
  expect((await logsOf(2)).map(({ time }) => time)).toEqual([13n])
})
