import { describe, expect, it } from 'vitest'
import { endpointOf, isServedLater } from '#test/conformance/endpoints.ts'

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

describe('a request', () => {
  it.each(['/api/v1/contracts/results/0x12/opcodes', '/api/v1/contracts/results/0x12/opcodes?stack=true'])(
    'for %s has no endpoint yet',
    (url) => {
      expect(isServedLater({ url })).toBe(true)
    },
  )

  it.each([
    '/api/v1/accounts?token=5',
    '/api/v1/accounts/0.0.5?next=/tokens',
    '/api/v1/accounts/0.0.5/hooks',
    '/api/v1/accounts/0.0.5/airdrops/pending',
    '/api/v1/accounts/0.0.5/allowances/tokens',
    '/api/v1/accounts/tokens',
    '/api/v1/accounts/0.0.5/tokens',
    '/api/v1/tokens/5/balances',
    '/api/v1/network/nodes',
    '/api/v1/topics/5/messages',
    '/api/v1/network/fees?order=asc',
    '/api/v1/transactions',
    '/api/v1/contractsandmore',
    '/api/v1/contracts/results/logs',
    '/api/v1/contracts/5/results/logs?order=asc',
  ])('for %s is asked', (url) => {
    expect(isServedLater({ url })).toBe(false)
  })
})
