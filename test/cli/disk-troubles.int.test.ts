import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askUntil, canMount, Program, root } from './support.ts'

// Every verb is a process of its own, which takes its time to start on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

let folder: string
const programs: Program[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ledger-disk-'))
})
afterEach(async () => {
  for (const program of programs.splice(0)) await program.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

function begin(args: readonly string[], mounts?: string): Program {
  const program = new Program(args, { cwd: root, ...(mounts === undefined ? {} : { mounts }) })
  programs.push(program)
  return program
}

if (!canMount) console.warn('skipped: a read-only and a full disk, since nothing can be mounted here')

interface Blocks {
  readonly blocks: readonly { readonly number: number }[]
}

const numberOf = ({ blocks }: Blocks): number => blocks[0]?.number ?? -1

describe.skipIf(!canMount)(`a disk${canMount ? '' : ' (skipped: nothing can be mounted here)'}`, () => {
  it('that is read-only ends serve and the status verbs at once, with the reason', async () => {
    const data = join(folder, 'data')
    mkdirSync(join(data, 'store'), { recursive: true })
    writeFileSync(join(data, 'ledger-data.json'), '{"format":1,"network":"made-up"}')
    const readOnly = `mount --bind ${data} ${data} && mount -o remount,ro,bind ${data}`
    for (const verb of ['serve --port 0', 'projections status', 'import status', 'topics list']) {
      const { code, err } = await begin([...verb.split(' '), '--data', data], readOnly).finished
      expect(err, verb).toMatch(
        /The data folder \S+ is unusable: it is read-only, and readers .*; make it writable, .*\[data_folder_unusable\]/,
      )
      expect(code, verb).toBe(1)
    }
  })

  it('that holds no store that can be opened ends serve at once, too', async () => {
    const data = join(folder, 'data')
    mkdirSync(join(data, 'store', 'control.sqlite'), { recursive: true })
    writeFileSync(join(data, 'ledger-data.json'), '{"format":1,"network":"made-up"}')
    const { code, err } = await begin(['serve', '--port', '0', '--data', data]).finished
    expect(err).toMatch(/control\.sqlite cannot be used: .*\[data_folder_unusable\]/)
    expect(code).toBe(1)
  })

  it('that is full lets reads go on while the import waits, which goes on by itself when there is room', async () => {
    const data = join(folder, 'data')
    mkdirSync(data)
    const fast = ['--block-seconds', '0.2', '--transactions-per-second', '50', '--accounts', '20', '--nodes', '3']
    const program = begin(['start', '--data', data, '--port', '0', ...fast], `mount -t tmpfs -o size=64m none ${data}`)
    const [, url] = await program.printed(/API +(http:\S+)\/api\/v1\/docs /)
    const newest = `${url}/api/v1/blocks?limit=1`
    await askUntil<Blocks>(newest, (body) => numberOf(body) > 3)

    const filler = join('/proc', String(program.child.pid), 'root', data, 'filler')
    expect(() => writeFileSync(filler, Buffer.alloc(64 << 20))).toThrow(/ENOSPC/)
    await vi.waitFor(() => expect(program.err).toMatch(/"code":"disk_full".*"msg":"cannot go on now, trying again"/), {
      timeout: 60_000,
      interval: 100,
    })
    const reached = numberOf(await askUntil<Blocks>(newest, () => true))
    for (const path of ['/api/v1/transactions?limit=5', '/health/liveness'])
      expect((await fetch(url + path)).status, path).toBe(200)
    // By now readiness may have seen that a read model stands still behind the log; it has no other reason to be down.
    const { reasons } = (await (await fetch(`${url}/health/readiness`)).json()) as { reasons: string[] }
    expect(reasons.filter((reason) => !/ behind /.test(reason))).toEqual([])
    expect(program.child.exitCode).toBeNull()

    rmSync(filler)
    await askUntil<Blocks>(newest, (body) => numberOf(body) > reached + 3, 60_000)
    expect((await program.stop('SIGINT')).code).toBe(0)
  })

  it('that is full at the first start leaves readiness down, with the reason, until there is room', async () => {
    const data = join(folder, 'data')
    mkdirSync(data)
    const calm = ['--block-seconds', '0.5', '--transactions-per-second', '2', '--accounts', '10', '--nodes', '3']
    // Less than the empty read models take, and more than the log.
    const program = begin(
      ['start', '--data', data, '--port', '0', ...calm],
      `mount -t tmpfs -o size=4500k none ${data}`,
    )
    const [, url = ''] = await program.printed(/API +(http:\S+)\/api\/v1\/docs /)
    const readiness = async () =>
      (await (await fetch(`${url}/health/readiness`)).json()) as {
        status: string
        reasons: string[]
        filling: string[]
      }
    const down = await vi.waitFor(
      async () => {
        const now = await readiness()
        expect([now.status, now.reasons.join()]).toEqual([
          'DOWN',
          expect.stringMatching(/not built any further: .*is full/),
        ])
        return now
      },
      { timeout: 80_000, interval: 250 },
    )
    expect(down.filling.length).toBeGreaterThan(0)
    const inside = ['-U', '-m', '--preserve-credentials', '-t', String(program.child.pid)]
    const { status, stderr } = spawnSync('nsenter', [...inside, 'mount', '-o', 'remount,size=256m', data])
    expect(status, String(stderr)).toBe(0)
    await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 'UP', filling: [] }), {
      timeout: 80_000,
      interval: 250,
    })
    expect((await program.stop('SIGINT')).code).toBe(0)
  })
})
