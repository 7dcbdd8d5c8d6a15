import type { RegisteredEndpointEntry, RegisteredServiceEndpoint, ServiceEndpoint } from '#schemas/events/types.ts'
import { ipText } from '#src/domain/ip-address.ts'

interface NodeEndpoint {
  readonly ip: string
  readonly port: number
  readonly domain: string
}

/** JSON text of an endpoint of a consensus node. */
export function renderEndpoint({ ip, port, domain }: NodeEndpoint): string {
  return `{"domain_name":${JSON.stringify(domain)},"ip_address_v4":${JSON.stringify(ip)},"port":${port}}`
}

/** JSON text of the endpoints of an address book's entry, by address and port. */
export function renderEndpoints(endpoints: readonly NodeEndpoint[]): string {
  const sorted = endpoints.toSorted((a, b) => (a.ip === b.ip ? a.port - b.port : a.ip < b.ip ? -1 : 1))
  return `[${sorted.map(renderEndpoint).join(',')}]`
}

/** JSON text of a proxy; null of the empty endpoint, which says that there is none. */
export function renderProxy({ ipAddressV4, port, domainName }: ServiceEndpoint): string | null {
  if (ipAddressV4.length === 0 && port === 0 && domainName === '') return null
  return renderEndpoint({ ip: ipText(ipAddressV4), port, domain: domainName })
}

const kindNames = ['UNKNOWN', 'BLOCK_NODE', 'GENERAL_SERVICE', 'MIRROR_NODE', 'RPC_RELAY']
const generalService = 2
const apiNames = ['OTHER', 'STATUS', 'PUBLISH', 'SUBSCRIBE_STREAM', 'STATE_PROOF']

/** Number of the kind of service; 0 where the endpoint names none that is known. */
export function kindOf(endpoint: RegisteredEndpointEntry): number {
  if (endpoint.blockNode) return 1
  if (endpoint.generalService) return generalService
  if (endpoint.mirrorNode) return 3
  return endpoint.rpcRelay ? 4 : 0
}

/** A set of kinds as bits. */
export function kindBits(kinds: readonly number[]): number {
  return kinds.reduce((bits, kind) => bits | (1 << kind), 0)
}

/** An endpoint of a body as statements have them. */
export function registeredEndpoint(endpoint: RegisteredServiceEndpoint): RegisteredEndpointEntry {
  const { ipAddress, domainName, port, requiresTls, blockNode, generalService, mirrorNode, rpcRelay } = endpoint
  return {
    ipAddress: ipAddress && ipText(ipAddress),
    domainName,
    port: Number(port),
    requiresTls,
    blockNode: blockNode && { endpointApis: blockNode.endpointApi },
    generalService: generalService && { description: generalService.description },
    mirrorNode: mirrorNode !== null,
    rpcRelay: rpcRelay !== null,
  }
}

/** JSON text of a registered node's endpoints. One of no known kind is shown as a general service. */
export function renderRegisteredEndpoints(endpoints: readonly RegisteredEndpointEntry[]): string {
  return JSON.stringify(
    endpoints.map((endpoint) => ({
      block_node: endpoint.blockNode && {
        endpoint_apis: endpoint.blockNode.endpointApis.map((api) => apiNames[api] ?? 'UNRECOGNIZED'),
      },
      domain_name: endpoint.domainName,
      general_service: endpoint.generalService && { description: endpoint.generalService.description },
      ip_address: endpoint.ipAddress,
      mirror_node: endpoint.mirrorNode ? {} : null,
      port: endpoint.port,
      requires_tls: endpoint.requiresTls,
      rpc_relay: endpoint.rpcRelay ? {} : null,
      type: kindNames[kindOf(endpoint) || generalService],
    })),
  )
}
