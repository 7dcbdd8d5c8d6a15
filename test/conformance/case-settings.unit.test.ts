import { describe, expect, it } from 'vitest'
import { defaultHttpSettings } from '#src/http/settings.ts'
import { overridesOf, settingsWith } from '#test/conformance/case-settings.ts'

describe('the settings of a case', () => {
  it('are the defaults where it says nothing, or says the same', () => {
    const same = { page_size_max: defaultHttpSettings.pageSizeMax, bind_timestamp_range: false }

    expect(overridesOf({}, {})).toEqual({})
    expect(overridesOf(same, {})).toEqual({})
  })

  it('name what differs', () => {
    const overrides = overridesOf({ page_size_max: 7, bound_range_ns: 5 }, { entity_transaction: [{}] })

    expect(overrides).toEqual({ pageSizeMax: 7, boundRangeNs: 5n, nftOnlyMatches: true })
    expect(settingsWith(overrides)).toMatchObject({
      ...overrides,
      pageSizeDefault: defaultHttpSettings.pageSizeDefault,
    })
  })
})
