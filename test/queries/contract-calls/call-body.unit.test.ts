import { describe, expect, it } from 'vitest'
import { textsOf } from '#queries/common/errors.ts'
import { callPayload } from '#queries/contract-calls/body/call-body.ts'
import { isLedgerError } from '#src/domain/errors.ts'

const { parse } = callPayload(15_000_000n)
const account = `0x${'0'.repeat(36)}04E2`

function complaintsOf(text: string): string[] {
  try {
    parse(Buffer.from(text))
    return []
  } catch (error) {
    if (!isLedgerError(error, 'invalid_parameter')) throw error
    return textsOf(error)
  }
}

describe('the body of a call', () => {
  it('is read with its defaults, null as if it was not there', () => {
    expect(parse(Buffer.from(JSON.stringify({ block: null, to: '', from: account, unknown: 1 })))).toEqual({
      block: '',
      data: Buffer.alloc(0),
      estimate: false,
      from: account.toLowerCase(),
      gas: undefined,
      gasPrice: 0n,
      to: undefined,
      value: 0n,
      showsAccess: false,
      accessList: [],
      authorizations: [],
      overrides: [],
      blockOverride: undefined,
    })
  })

  it('keeps amounts beyond what a double holds', () => {
    const body = `{"from":"${account}","to":"${account}","value":4999999999999999999}`
    expect(parse(Buffer.from(body))).toMatchObject({ value: 4_999_999_999_999_999_999n })
  })

  it('is refused with a text for each rule that it breaks', () => {
    const body = { data: '0xzz', from: '0x1', to: 'x', gas: 20_999, gasPrice: -1, value: -1 }
    expect(complaintsOf(JSON.stringify(body))).toEqual([
      'data field invalid hexadecimal string',
      'from field invalid hexadecimal string',
      'to field invalid hexadecimal string',
      'gas field must be greater than or equal to 21000',
      'gasPrice field must be greater than or equal to 0',
      'value field must be greater than or equal to 0',
    ])
  })

  it.each([
    ['{"data":"0x123"}', 'Odd number of characters.'],
    ['{"gas":15000001}', 'gas field must be less than or equal to 15000000'],
    ['{"value":1}', 'from field must not be empty'],
    [`{"value":1,"from":"${account}","data":"0x12"}`, 'to field must not be empty'],
  ])('%s is refused: %s', (body, text) => {
    expect(complaintsOf(body)).toEqual([text])
  })

  it.each(['{', '[]', '{"gas":true}', '{"value":1.5}', '{"estimate":"maybe"}', '{"data":{}}'])(
    '%s cannot be read',
    (body) => {
      expect(complaintsOf(body)).toEqual([expect.stringMatching(/^JSON parse error: /)])
    },
  )

  it('may send value to no address where it creates a contract', () => {
    expect(complaintsOf(`{"value":1,"from":"${account}","data":"0x60806040"}`)).toEqual([])
  })
})
