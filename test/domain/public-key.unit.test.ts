import { describe, expect, it } from 'vitest'
import { renderKey } from '#src/domain/public-key.ts'

const ed25519 = 'ab'.repeat(32)
const secp256k1 = `02${'cd'.repeat(32)}`
const shown = (hex: string | null) => JSON.parse(renderKey(hex === null ? null : Buffer.from(hex, 'hex')))

describe('a key', () => {
  it.each(['1220', '32240a221220', '2a28080112240a221220'])('is shown as ED25519 behind %s', (prefix) => {
    expect(shown(prefix + ed25519)).toEqual({ _type: 'ED25519', key: ed25519 })
  })

  it.each(['3a21', '32250a233a21', '2a29080112250a233a21'])('is shown as ECDSA_SECP256K1 behind %s', (prefix) => {
    expect(shown(prefix + secp256k1)).toEqual({ _type: 'ECDSA_SECP256K1', key: secp256k1 })
  })

  it('is null when absent or an empty list', () => {
    expect([null, '3200'].map(shown)).toEqual([null, null])
  })

  it.each(['', '1220', `1220${ed25519}00`, '0a020805'])('is shown as the protobuf when it is %j', (hex) => {
    expect(shown(hex)).toEqual({ _type: 'ProtobufEncoded', key: hex })
  })
})
