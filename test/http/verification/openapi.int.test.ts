import { expect, it } from 'vitest'
import { VerificationFixture } from '#test/verification/fixture.ts'

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId?: string; readonly tags?: readonly string[] }>>>
  >
}

it('documents what is served, once, without the prefix and the older names', async () => {
  const fixture = await new VerificationFixture({ docs: true }).begin([])
  const { paths } = (await fixture.get('/api/v1/docs/json')).body as Document
  const own = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.tags?.includes('verification') ? [[`${method} ${path}`, operation.operationId] as const] : [],
    ),
  )
  const names = own.map(([, operationId]) => operationId)
  expect(new Set(names).size).toBe(own.length)
  expect(names).not.toContain(undefined)
  const addresses = own.map(([address]) => address)
  expect(addresses.filter((address) => /\/server\/|etherscan/.test(address))).toEqual([])
  for (const path of [
    '/verify/explorer',
    '/session/verify/explorer',
    '/verify',
    '/verify/solc-json',
    '/v2/verify/{chainId}/{address}',
  ])
    expect(addresses).toContain(`post ${path}`)
  for (const path of [
    '/check-by-addresses',
    '/files/any/{chain}/{address}',
    '/v2/contract/{chainId}/{address}',
    '/session/data',
  ])
    expect(addresses).toContain(`get ${path}`)
  await fixture.end()
})
