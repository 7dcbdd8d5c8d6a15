import { describe, expect, it } from 'vitest'
import {
  dataFileName,
  instantText,
  listAfterMarker,
  markerAt,
  parseStreamFileName,
  sidecarFileName,
} from '#src/importer/record/file-name.ts'

describe('names of stream files', () => {
  it.each([
    ['2019-08-30T18_10_00.419072Z.rcd', 'record', 1_567_188_600_419_072_000n],
    ['2019-08-30T18_10_00Z.rcd_sig', 'signature', 1_567_188_600_000_000_000n],
    ['2022-07-13T08_46_11.304284003Z.rcd.gz', 'record', 1_657_701_971_304_284_003n],
    ['2022-07-13T08_46_11.3Z.rcd_sig.gz', 'signature', 1_657_701_971_300_000_000n],
    ['2022-07-13T08_46_11.304284003Z_01.rcd.gz', 'sidecar', 1_657_701_971_304_284_003n],
  ])('tell kind and instant: %s', (name, kind, instant) => {
    expect(parseStreamFileName(name)).toMatchObject({ name, kind, instant })
  })

  it.each([
    '',
    'latest.rcd',
    '2022-02-30T08_46_11.304284003Z.rcd',
    '2022-07-13T24_00_00Z.rcd',
    '2022-07-13T08:46:11Z.rcd',
    '2022-07-13T08_46_11.3042840031Z.rcd',
    '2022-07-13T08_46_11Z_00.rcd.gz',
    '2022-07-13T08_46_11Z_1.rcd.gz',
    '2022-07-13T08_46_11Z_01.rcd_sig',
    '2022-07-13T08_46_11Z_Balances.csv',
    '2022-07-13T08_46_11Z.rcd.zip',
  ])('are refused where they do not fit: "%s"', (name) => {
    expect(parseStreamFileName(name)).toBeUndefined()
  })

  it('list after the processed file and before every later one, whatever the extension', () => {
    const name = '2022-07-13T08_46_08.041986003Z.rcd.gz'
    const marker = listAfterMarker(name)
    expect(marker).toBe('2022-07-13T08_46_08.041986003Z_')
    for (const same of ['.rcd', '.rcd.gz', '.rcd_sig', '.rcd_sig.gz']) {
      expect(`2022-07-13T08_46_08.041986003Z${same}` < marker).toBe(true)
    }
    expect('2022-07-13T08_46_08.041986004Z.rcd' > marker).toBe(true)
    expect('2022-07-13T08_46_11.3Z.rcd' > marker).toBe(true)
  })

  it('lead from signature to data and from record file to sidecar', () => {
    expect(dataFileName('2019-08-30T18_10_00.4Z.rcd_sig', 2)).toBe('2019-08-30T18_10_00.4Z.rcd')
    expect(dataFileName('2022-07-13T08_46_08.0Z.rcd_sig', 6)).toBe('2022-07-13T08_46_08.0Z.rcd.gz')
    expect(dataFileName('2022-07-13T08_46_08.0Z.rcd_sig.gz', 5)).toBe('2022-07-13T08_46_08.0Z.rcd.gz')
    expect(sidecarFileName('2022-07-13T08_46_08.0Z.rcd.gz', 3)).toBe('2022-07-13T08_46_08.0Z_03.rcd.gz')
  })

  it('can be made for an instant', () => {
    expect(instantText(1_657_701_971_304_284_003n)).toBe('2022-07-13T08_46_11.304284003Z')
    expect(markerAt(0n)).toBe('1970-01-01T00_00_00.000000000Z_')
  })
})
