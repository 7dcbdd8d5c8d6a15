import { expect, it } from 'vitest'
import { defaultSimpleFees } from '#src/domain/network-files/default-simple-fees.ts'
import { readSimpleFees } from '#src/domain/network-files/simple-fees.ts'
import { encodeSimpleFees } from '#src/simulator/simple-fees.ts'

it('is written to its file so that it can be read again', () => {
  expect(readSimpleFees(encodeSimpleFees(defaultSimpleFees))).toEqual(defaultSimpleFees)
})
