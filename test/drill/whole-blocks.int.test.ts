import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { Program } from '#test/cli/support.ts'
import { temporaryFolder } from '#test/support/temporary-folder.ts'

/** The whole drill asks 100,000 times. */
const requests = Number(process.env['LEDGER_TEST_WHOLE_BLOCKS'] ?? 2_000)
const readers = 16
const timeoutMs = 180_000 + requests * 20

interface Block {
  readonly number: number
  readonly count: number
  readonly timestamp: { readonly from: string; readonly to: string }
}

/** What answers say of a block: pages that name no newer one, so that the same is answered later. */
const pagesOf = ({ number, timestamp: { from, to } }: Block): string[] => [
  `/blocks/${number}`,
  `/transactions?timestamp=gte:${from}&timestamp=lte:${to}&limit=100`,
  `/contracts/results?timestamp=gte:${from}&timestamp=lte:${to}&limit=100`,
  `/contracts/results/logs?timestamp=gte:${from}&timestamp=lte:${to}&limit=100`,
  `/balances?timestamp=${to}&limit=100`,
  `/accounts/0.0.2?timestamp=${to}&limit=100`,
  `/network/supply?timestamp=${to}`,
  `/transactions?account.id=0.0.2&timestamp=gte:${from}&timestamp=lte:${to}&limit=100`,
  `/topics/0.0.1010/messages?timestamp=gte:${from}&timestamp=lte:${to}&limit=100`,
]

/** Times are `seconds.nanos` with nine digits behind the point, too many for a number. */
function isBefore(time: string | null, other: string): boolean {
  return BigInt((time ?? '0').replace('.', '')) < BigInt(other.replace('.', ''))
}

it.each([1, 2])(
  `no block is seen in part, asked ${requests} times the moment it is listed, of %i threads`,
  async (threads) => {
    const folder = await temporaryFolder()
    onTestFinished(folder.remove)
    const network = ['--block-seconds', '0.5', '--transactions-per-second', '100', '--accounts', '100', '--nodes', '1']
    const program = new Program(['start', '--port', '0', '--api-threads', String(threads), ...network], {
      cwd: folder.path,
    })
    onTestFinished(async () => void (await program.stop('SIGKILL')))
    const [, url = ''] = await program.printed(/API +(http:\S+)\/api\/v1\/docs /)
    const ask = async (path: string) => {
      const answer = await fetch(`${url}/api/v1${path}`)
      return {
        status: answer.status,
        body: await answer.text(),
        time: answer.headers.get('ledger-consensus-timestamp'),
      }
    }
    const seen = new Map<string, string>()
    const inPart: string[] = []
    const goneBack: string[] = []
    let [asked, newest, older] = [0, -1, 0]
    const note = (path: string, { status, body }: { readonly status: number; readonly body: string }): void => {
      const before = seen.get(path)
      const now = `${status} ${body}`
      if (before !== undefined && before !== now) inPart.push(`${path}\n  ${before}\n  ${now}`)
      seen.set(path, now)
    }
    const read = async (): Promise<void> => {
      let time = '0'
      while (asked < requests) {
        const listed = await ask('/blocks?limit=1')
        if (listed.status !== 200) {
          await sleep(100)
          continue
        }
        const [block] = (JSON.parse(listed.body) as { blocks: Block[] }).blocks
        if (block === undefined || block.number < newest) continue
        newest = block.number
        for (const path of pagesOf(block).sort(() => Math.random() - 0.5)) {
          const answer = await ask(path)
          asked += 1
          if (answer.status === 503) continue
          // A read model that a busy machine left 2 s behind is not waited for, and says so.
          if (isBefore(answer.time, block.timestamp.to)) {
            older += 1
            continue
          }
          if (isBefore(answer.time, time)) goneBack.push(`${path}: ${answer.time} behind ${time}`)
          time = answer.time ?? time
          note(path, answer)
          const { transactions } = JSON.parse(answer.body) as { transactions?: unknown[] }
          if (
            transactions !== undefined &&
            path === pagesOf(block)[1] &&
            transactions.length !== Math.min(100, block.count)
          )
            inPart.push(`${path}: ${transactions.length} of ${block.count} transactions`)
        }
      }
    }
    await Promise.all(Array.from({ length: readers }, read))
    await sleep(1_000)
    for (const path of [...seen.keys()]) note(path, await ask(path))
    console.log(`${seen.size} pages, asked ${asked} times, ${older} of them older than their block, as they said`)
    expect(seen.size).toBeGreaterThan(10)
    expect(older).toBeLessThan(asked / 2)
    expect(goneBack.slice(0, 5)).toEqual([])
    expect(inPart.slice(0, 3)).toEqual([])
  },
  timeoutMs,
)
