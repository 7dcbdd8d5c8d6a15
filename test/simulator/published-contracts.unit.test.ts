import { expect, it } from 'vitest'
import { readAnswer } from '#src/adapters/explorers/read-answer.ts'
import { codeOf } from '#src/simulator/evm/code.ts'
import { explorerAnswer } from '#src/simulator/explorer/published-contracts.ts'

const read = (runtime: Uint8Array | undefined) =>
  readAnswer(
    { status: 200, contentType: undefined, retryAfter: undefined, body: JSON.stringify(explorerAnswer(runtime)) },
    'simulated',
  )

it.each([
  ['token', ['Token.sol']],
  ['market', ['Market.sol', 'Token.sol']],
  ['factory', ['Factory.sol', 'Market.sol', 'Token.sol']],
  ['teller', ['Teller.sol']],
] as const)('publishes what a %s was made of', (code, files) => {
  const { target, sources, settings } = read(codeOf(code).runtime)
  expect([target.path, [...sources.keys()]]).toEqual([files[0], files])
  expect(settings).toMatchObject({ evmVersion: 'cancun', metadata: { appendCBOR: false } })
})

it('knows no other code', () => {
  expect(() => read(Buffer.from('00', 'hex'))).toThrow('not verified')
  expect(() => read(undefined)).toThrow('not verified')
})
