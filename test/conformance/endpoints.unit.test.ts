import { describe, expect, it } from 'vitest'
import { endpointOf } from '#test/conformance/endpoints.ts'

describe('the endpoint of a case', () => {
  it.each([
    ['accounts/{id}/nfts/order', 'accounts/{id}/nfts'],
    ['accounts-hooks-storage/key-bounds', 'accounts/{id}/hooks/{id}/storage'],
    ['network-supply/current', 'network/supply'],
    ['common/unsupported-methods', 'common'],
  ])('of %s is %s', (name, endpoint) => {
    expect(endpointOf({ name })).toBe(endpoint)
  })
})
