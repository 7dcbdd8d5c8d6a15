import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entityIdOf, entityIdParts, formatEntityId, maxNumber, maxRealm, maxShard } from '#src/domain/entity-id.ts'

const parts = fc.tuple(
  fc.bigInt({ min: 0n, max: maxShard }),
  fc.bigInt({ min: 0n, max: maxRealm }),
  fc.bigInt({ min: 0n, max: maxNumber }),
)

describe('an entity id', () => {
  it('gives back its parts, and its text names them', () => {
    fc.assert(
      fc.property(parts, ([shard, realm, number]) => {
        const id = entityIdOf(shard, realm, number) as bigint
        expect(BigInt.asIntN(64, id)).toBe(id)
        expect(entityIdParts(id)).toEqual({ shard, realm, number })
        expect(formatEntityId(id)).toBe(`${shard}.${realm}.${number}`)
      }),
    )
  })

  it('equals the number in shard 0 and realm 0, and is negative from shard 512 on', () => {
    expect(entityIdOf(0n, 0n, 1001n)).toBe(1001n)
    expect(entityIdOf(511n, 0n, 0n)).toBeGreaterThan(0n)
    expect(entityIdOf(512n, 0n, 0n)).toBeLessThan(0n)
  })

  it.each([
    [maxShard + 1n, 0n, 0n],
    [0n, maxRealm + 1n, 0n],
    [0n, 0n, maxNumber + 1n],
    [0n, 0n, -1n],
  ])('does not exist for the parts %s.%s.%s', (shard, realm, number) => {
    expect(entityIdOf(shard, realm, number)).toBeUndefined()
  })
})
