import { afterEach, describe, expect, it, vi } from 'vitest'
import { describeFailure } from '#src/cli/errors.ts'
import { createLogger, Terminal } from '#src/cli/terminal.ts'
import { LedgerError } from '#src/domain/errors.ts'

function given(isTTY: boolean, format: 'auto' | 'json' | 'pretty' = 'auto') {
  const written: string[] = []
  const stream = { isTTY, columns: 40, write: (text: string) => written.push(text) }
  const terminal = new Terminal({
    out: { write: (text) => written.push(`out:${text}`) },
    err: stream,
    format,
    colours: false,
  })
  return { terminal, written }
}

describe('terminal', () => {
  it('takes the status line away before anything else is printed, and puts it back', () => {
    const { terminal, written } = given(true)
    terminal.setStatus('block 1')
    terminal.print('hello')
    expect(written).toEqual(['block 1', '\r\x1b[2K', 'out:hello\n', 'block 1'])
  })

  it('keeps the status line shorter than the terminal is wide, so that it stays one line', () => {
    const { terminal, written } = given(true)
    terminal.setStatus('x'.repeat(200))
    expect(written).toEqual(['x'.repeat(39)])
  })

  it('shows no status line where lines cannot be rewritten', () => {
    const { terminal, written } = given(false)
    terminal.setStatus('block 1')
    expect(written).toEqual([])
  })

  it('writes log lines as JSON with a constant message, and for people on a terminal', () => {
    const json = given(false)
    createLogger('info', 'import', (line) => json.terminal.log(line)).info({ block: 7 }, 'block published')
    const line = JSON.parse(json.written.join('')) as { time: string }
    expect(line).toMatchObject({ level: 'info', thread: 'import', block: 7, msg: 'block published' })
    expect(new Date(line.time).toISOString()).toBe(line.time)
    const pretty = given(true)
    createLogger('info', 'import', (line) => pretty.terminal.log(line)).info({ block: 7 }, 'block published')
    expect(pretty.written.join('')).toMatch(/^\[\d\d:\d\d:\d\d\].*INFO.*block published \{"block":7\}\n$/)
  })

  it('shows nothing of what others have said that a terminal would obey, nor of the causes of errors', () => {
    const said = '\u001b[2J\u202egone\u009b1A\r'
    const failure = new LedgerError('source_unavailable', 'A node failed', {}, new Error(said))
    for (const format of ['json', 'pretty'] as const) {
      const { terminal, written } = given(false, format)
      createLogger('debug', 'main', (line) => terminal.log(line)).warn({ err: failure, said }, 'it failed')
      expect(written.join('')).toContain('gone')
      expect(written.join('')).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    }
  })

  it('logs a known failure by code and sentence, its stack only when debugging, and always the stack of an unknown one', () => {
    const logged = (level: 'info' | 'debug', err: unknown): unknown => {
      const { terminal, written } = given(false)
      createLogger(level, 'main', (line) => terminal.log(line)).warn({ err }, 'it failed')
      return (JSON.parse(written.join('')) as { err: unknown }).err
    }
    const known = new LedgerError('store_unavailable', 'The store is away', {}, new Error('ECONNREFUSED'))
    const plain = { code: 'store_unavailable', message: 'The store is away' }
    expect(logged('info', known)).toEqual(plain)
    expect(logged('debug', known)).toMatchObject({ stack: expect.stringContaining('ECONNREFUSED') })
    expect(logged('info', new TypeError('x is undefined'))).toMatchObject({ stack: expect.stringContaining('at ') })
    expect(logged('info', 'a text')).toBe('a text')
  })
})

describe('failure', () => {
  it('is one sentence with its code; the stack only when debugging', () => {
    const error = new LedgerError('port_taken', 'Port 1 is taken')
    expect(describeFailure(error, false)).toBe('ledger-history: Port 1 is taken [port_taken]')
    expect(describeFailure(error, true)).toContain('\nLedgerError: Port 1 is taken\n')
  })

  it('says when trying again may help, and how to learn more of an unexpected one', () => {
    expect(describeFailure(new LedgerError('disk_full', 'Full'), false)).toBe(
      'ledger-history: Full (this may pass; try again later) [disk_full]',
    )
    expect(describeFailure(new TypeError('x is undefined'), false)).toMatch(
      /Unexpected error: x is undefined; .*--log-level debug/,
    )
  })
})

describe('what many read models say within a moment', () => {
  afterEach(() => void vi.useRealTimers())

  function said(isTTY: boolean) {
    vi.useFakeTimers()
    const { terminal, written } = given(isTTY)
    const logger = createLogger('info', 'project', (line) => terminal.log(line))
    for (const [position, projection] of ['blocks', 'topics', 'tokens'].entries()) {
      logger.info({ projection, epoch: 1, position }, 'kept up to date here')
      logger.warn({ projection, code: 'store_unavailable', reason: 'away' }, 'cannot go on now')
    }
    logger.warn({ projection: 'nfts', code: 'store_unavailable', reason: 'another' }, 'cannot go on now')
    logger.error({ projection: 'hooks' }, 'set aside')
    vi.advanceTimersByTime(300)
    return { lines: written.join('').trimEnd().split('\n'), terminal }
  }

  it('is one line for people, with the names, where errors are told at once', () => {
    expect(said(true).lines.map((line) => line.replace(/^.*?([A-Z]+): /, '$1 '))).toEqual([
      'ERROR set aside {"projection":"hooks"}',
      'INFO kept up to date here {"projections":"blocks, topics, tokens"}',
      'WARN cannot go on now {"code":"store_unavailable","reason":"away","projections":"blocks, topics, tokens"}',
      'WARN cannot go on now {"projection":"nfts","code":"store_unavailable","reason":"another"}',
    ])
  })

  it('is one warning for programs, too, and else as many lines as before', () => {
    const entries = said(false).lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(entries.map(({ level }) => level)).toEqual(['info', 'info', 'info', 'error', 'warn', 'warn'])
    expect(entries[4]).toMatchObject({
      msg: 'cannot go on now',
      thread: 'project',
      projections: ['blocks', 'topics', 'tokens'],
    })
  })

  it('is not lost when the program ends first', () => {
    vi.useFakeTimers()
    const { terminal, written } = given(false)
    createLogger('info', 'main', (line) => terminal.log(line)).warn({ projection: 'blocks' }, 'paused')
    expect(written).toEqual([])
    terminal.flush()
    expect(written.join('')).toContain('"projection":"blocks"')
  })
})
