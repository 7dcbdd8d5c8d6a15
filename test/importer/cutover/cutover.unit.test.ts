import { describe, expect, it } from 'vitest'
import { Cutover, type CutoverSettings } from '#src/importer/cutover/cutover.ts'

const version = (minor: number) => ({ major: 0, minor, patch: 0 })
const recordFile = (minor: number, time = 0n) => ({ version: 6, hapiVersion: version(minor), time })
const block = { version: 7, hapiVersion: version(80), time: 0n }

function cutoverAt(settings: Partial<CutoverSettings> = {}) {
  const clock = { ms: 1_000_000 }
  const cutover = new Cutover({
    stream: 'cutover',
    thresholdMs: 16_000,
    hapiVersion: version(79),
    wrappedFrom: undefined,
    now: () => clock.ms,
    ...settings,
  })
  return { cutover, clock }
}

describe('the change from record files to blocks', () => {
  it('stays with the stream that is set', () => {
    for (const stream of ['records', 'blocks'] as const) {
      const { cutover, clock } = cutoverAt({ stream })
      clock.ms += 3_600_000
      expect(cutover.next(recordFile(80))).toBe(stream)
      expect(cutover.isFinal(undefined)).toBe(true)
    }
  })

  it('tries blocks once nothing came for the threshold, and then one after the other in turns', () => {
    const { cutover, clock } = cutoverAt()
    const last = recordFile(79)
    expect(cutover.next(last)).toBe('records')
    clock.ms += 15_999
    expect(cutover.next(last)).toBe('records')
    clock.ms += 1
    expect(cutover.next(last)).toBe('blocks')
    expect(cutover.choice).toMatchObject({ why: 'no record file for 16 s', since: clock.ms })
    cutover.passed('blocks', false)
    clock.ms += 15_000
    expect(cutover.next(last)).toBe('blocks')
    clock.ms += 1_000
    expect(cutover.next(last)).toBe('records')
    clock.ms += 16_000
    expect(cutover.next(last)).toBe('blocks')
  })

  it('is more patient with a network that is not said to write blocks yet', () => {
    const { cutover, clock } = cutoverAt()
    clock.ms += 39_999
    expect(cutover.next(recordFile(78))).toBe('records')
    clock.ms += 1
    expect(cutover.next(recordFile(78))).toBe('blocks')
  })

  it('says what it waits for as of the version of the last file', () => {
    const { cutover } = cutoverAt()
    cutover.next(recordFile(78))
    expect(cutover.choice.waitsFor).toBe('40 s without anything new')
    cutover.next(recordFile(79))
    expect(cutover.choice).toMatchObject({ why: 'record files come', waitsFor: '16 s without anything new' })
  })

  it('counts silence from the newest file on', () => {
    const { cutover, clock } = cutoverAt()
    for (let file = 0; file < 10; file++) {
      clock.ms += 10_000
      expect(cutover.next(recordFile(79))).toBe('records')
      cutover.passed('records', true)
    }
  })

  it('is final with the first block, after a restart as well', () => {
    const { cutover, clock } = cutoverAt()
    expect(cutover.next(block)).toBe('blocks')
    clock.ms += 3_600_000
    expect(cutover.next(block)).toBe('blocks')
    expect(cutover.isFinal(block)).toBe(true)
    expect(cutover.isFinal(recordFile(80))).toBe(false)
    expect(cutover.choice).toMatchObject({ waitsFor: undefined })
  })
})

describe('quiet', () => {
  it('is a source since its last file, once that made blocks be tried, until something new comes', () => {
    const { cutover, clock } = cutoverAt()
    clock.ms += 5_000
    cutover.passed('records', true)
    const since = clock.ms
    clock.ms += 15_999
    cutover.next(recordFile(79))
    expect(cutover.quietSince).toBeUndefined()
    clock.ms += 1
    cutover.next(recordFile(79))
    expect(cutover.quietSince).toBe(since)
    cutover.advanced()
    expect(cutover.quietSince).toBeUndefined()
  })

  it('is nothing while an attempt goes on for long and brings blocks', () => {
    const { cutover, clock } = cutoverAt()
    cutover.next(block)
    for (let second = 0; second < 60; second++) {
      clock.ms += 1_000
      cutover.advanced()
    }
    expect(cutover.quietSince).toBeUndefined()
  })

  it('are blocks that do not come, also where there is nothing else to try', () => {
    for (const stream of ['blocks', 'cutover'] as const) {
      const { cutover, clock } = cutoverAt({ stream })
      const since = clock.ms
      clock.ms += 15_999
      cutover.next(block)
      expect(cutover.quietSince).toBeUndefined()
      clock.ms += 1
      expect(cutover.quietSince).toBe(since)
    }
  })

  it('are record files alone never: where nothing happens, none is written', () => {
    const { cutover, clock } = cutoverAt({ stream: 'records' })
    clock.ms += 3_600_000
    cutover.next(recordFile(79))
    expect(cutover.quietSince).toBeUndefined()
  })
})

describe('wrapped record files before the change', () => {
  const wrapped = { wrappedFrom: version(75) }

  it('are read from their version on', () => {
    const { cutover } = cutoverAt(wrapped)
    expect(cutover.next(recordFile(74))).toBe('records')
    expect(cutover.next(recordFile(75))).toBe('blocks')
  })

  it('give way to one run of record files where they bring nothing', () => {
    const { cutover } = cutoverAt(wrapped)
    expect(cutover.next(recordFile(75))).toBe('blocks')
    cutover.passed('blocks', false)
    expect(cutover.next(recordFile(75))).toBe('records')
    cutover.passed('records', true)
    expect(cutover.next(recordFile(75))).toBe('blocks')
  })

  it('give way where they come more slowly than the ledger goes on', () => {
    const { cutover, clock } = cutoverAt(wrapped)
    const second = 1_000_000_000n
    expect(cutover.next(recordFile(75, 100n * second))).toBe('blocks')
    cutover.passed('blocks', true)
    clock.ms += 9_999
    expect(cutover.next(recordFile(75, 100n * second))).toBe('blocks')
    cutover.passed('blocks', true)
    clock.ms += 1
    expect(cutover.next(recordFile(75, 106n * second))).toBe('blocks')
    cutover.passed('blocks', true)
    clock.ms += 1
    expect(cutover.next(recordFile(75, 106n * second))).toBe('records')
    expect(cutover.choice.why).toMatch(/more slowly/)
  })
})
