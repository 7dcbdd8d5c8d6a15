import { describe, expect, it } from 'vitest'
import { defaultHttpSettings } from '#src/http/settings.ts'
import { overridesOf, settingsWith } from '#test/conformance/case-settings.ts'

describe('the settings of a case', () => {
  it('are the defaults where it says nothing, or says the same', () => {
    const same = { page_size_max: defaultHttpSettings.pageSizeMax, bind_timestamp_range: false }

    expect(overridesOf({}, {}, '/api/v1/blocks')).toEqual({})
    expect(overridesOf(same, {}, '/api/v1/blocks?limit=1')).toEqual({})
  })

  it('name what differs', () => {
    const overrides = overridesOf({ page_size_max: 7, bound_range_ns: 5 }, { entity_transaction: [{}] }, '/')

    expect(overrides).toEqual({ pageSizeMax: 7, timeRangeMaxNs: 5n, nftOnlyMatches: true })
    expect(settingsWith(overrides)).toMatchObject({
      ...overrides,
      pageSizeDefault: defaultHttpSettings.pageSizeDefault,
    })
  })

  it('have the recorded limit for lists of values that the default would let through', () => {
    const listOf = (count: number) => `/api/v1/blocks?limit=1&${Array(count).fill('block.number=1').join('&')}`

    expect(overridesOf({}, {}, listOf(8))).toEqual({})
    expect(overridesOf({}, {}, listOf(9))).toEqual({ maxRepeatedParameters: 8 })
  })
})
