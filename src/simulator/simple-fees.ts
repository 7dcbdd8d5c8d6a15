import protobuf from 'protobufjs'
import {
  extraNames,
  type IncludedExtras,
  type SimpleFees,
  type VariableRates,
} from '#src/domain/network-files/simple-fees.ts'
import type { Message } from '#src/simulator/codec.ts'

/** Messages of the package org.hiero.hapi.support.fees, which the network's published definitions leave out. */
const fees = protobuf.Root.fromJSON({
  nested: {
    Node: message({ baseFee: [1, 'uint64'], extras: [2, 'Included', 'repeated'] }),
    Included: message({ name: [1, 'int32'], includedCount: [2, 'uint32'] }),
    Network: message({ multiplier: [1, 'uint32'] }),
    Unreadable: message({ fee: [1, 'uint64'] }),
    Extra: message({ name: [1, 'int32'], fee: [2, 'uint64'] }),
    Service: message({ name: [1, 'string'], schedule: [2, 'Definition', 'repeated'] }),
    Definition: message({
      name: [1, 'int32'],
      baseFee: [2, 'uint64'],
      extras: [3, 'Included', 'repeated'],
      free: [4, 'bool'],
      highVolumeRates: [5, 'Rates'],
      nodeNetworkFeeExempt: [6, 'bool'],
    }),
    Rates: message({ maxMultiplier: [2, 'uint32'], pricingCurve: [3, 'Curve'] }),
    Curve: message({ piecewiseLinear: [1, 'Points'] }),
    Points: message({ points: [1, 'Point', 'repeated'] }),
    Point: message({ utilizationBasisPoints: [1, 'uint32'], multiplier: [2, 'uint32'] }),
    FeeSchedule: message({
      node: [1, 'Node'],
      network: [2, 'Network'],
      unreadable: [3, 'Unreadable'],
      extras: [4, 'Extra', 'repeated'],
      services: [5, 'Service', 'repeated'],
    }),
  },
})

function message(fields: Readonly<Record<string, [id: number, type: string, rule?: string]>>): protobuf.IType {
  return {
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, [id, type, rule]]) => [name, { id, type, ...(rule && { rule }) }]),
    ),
  }
}

/** Writes the fees as the network keeps them in its file 113. */
export function encodeSimpleFees({ node, networkMultiplier, unitFees, services }: SimpleFees): Uint8Array {
  const schedule = [...services].map(([name, { baseFee, extras, highVolume, nodeNetworkExempt }]) => ({
    name,
    baseFee: Number(baseFee),
    extras: included(extras),
    ...(highVolume && { highVolumeRates: rates(highVolume) }),
    nodeNetworkFeeExempt: nodeNetworkExempt,
  }))
  const written: Message = {
    node: { baseFee: Number(node.baseFee), extras: included(node.extras) },
    network: { multiplier: networkMultiplier },
    extras: [...unitFees].map(([name, fee]) => ({ name: extraNames.indexOf(name), fee: Number(fee) })),
    services: [{ name: 'All', schedule }],
  }
  return fees.lookupType('FeeSchedule').encode(written).finish()
}

function included(extras: IncludedExtras): Message[] {
  return [...extras].map(([name, includedCount]) => ({ name: extraNames.indexOf(name), includedCount }))
}

function rates({ maxMultiplier, points }: VariableRates): Message {
  const linear = points.map(({ utilization: utilizationBasisPoints, multiplier }) => ({
    utilizationBasisPoints,
    multiplier,
  }))
  return { maxMultiplier, pricingCurve: { piecewiseLinear: { points: linear } } }
}
