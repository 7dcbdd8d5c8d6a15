import type { FieldReader } from '#src/domain/field-reader.ts'
import { fileFields, readSeconds } from '#src/domain/network-files/file-fields.ts'

/** So many hbars are worth so many US cents. */
export interface ExchangeRate {
  hbars: number
  cents: number
  /** Seconds since the epoch. */
  expires: bigint
}

export interface ExchangeRates {
  readonly current: ExchangeRate
  readonly next: ExchangeRate
}

/** Reads the contents of file 112, an ExchangeRateSet. */
export function readExchangeRates(contents: Uint8Array): ExchangeRates {
  const rates = { current: noRate(), next: noRate() }
  const fields = fileFields(contents)
  while (fields.next()) {
    if (fields.field === 1) readRate(fields.message(), rates.current)
    else if (fields.field === 2) readRate(fields.message(), rates.next)
  }
  return rates
}

const noRate = (): ExchangeRate => ({ hbars: 0, cents: 0, expires: 0n })

function readRate(fields: FieldReader, rate: ExchangeRate): void {
  while (fields.next()) {
    if (fields.field === 1) rate.hbars = fields.int32()
    else if (fields.field === 2) rate.cents = fields.int32()
    else if (fields.field === 3) rate.expires = readSeconds(fields.message())
  }
}
