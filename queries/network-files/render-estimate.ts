import type { ChargedExtra, FeeEstimate, FeePart } from '#src/domain/network-files/fee-estimate.ts'
import { plainMultiplier } from '#src/domain/network-files/high-volume.ts'

/** JSON text. The multiplier is shown without its fraction, as is usual, and beside it with one where it has one. */
export function renderEstimate({ node, network, service, total }: FeeEstimate, multiplier: number): string {
  const exact = multiplier / plainMultiplier
  const fraction = Number.isInteger(exact) ? '' : `"high_volume_multiplier_exact":${exact},`
  return (
    `{"high_volume_multiplier":${Math.trunc(exact)},${fraction}` +
    `"network":{"multiplier":${network.multiplier},"subtotal":${network.subtotal}},` +
    `"node":${renderPart(node)},"service":${renderPart(service)},"total":${total}}`
  )
}

function renderPart({ base, extras }: FeePart): string {
  return `{"base":${base},"extras":[${extras.map(renderExtra).join(',')}]}`
}

function renderExtra({ name, count, included, charged, feePerUnit, subtotal }: ChargedExtra): string {
  return (
    `{"charged":${charged},"count":${count},"fee_per_unit":${feePerUnit},"included":${included},` +
    `"name":"${name}","subtotal":${subtotal}}`
  )
}
