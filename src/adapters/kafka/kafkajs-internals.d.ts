/**
 * The parts of kafkajs 2.2.4 that the client uses below its public interface, which has no way to fetch from an offset
 * without a consumer group. The version is pinned in package.json.
 */
declare module 'kafkajs/src/cluster/index.js' {
  import type Broker from 'kafkajs/src/broker/index.js'

  class Cluster {
    constructor(options: object)
    connect(): Promise<void>
    /** Of all topics where none is named. */
    metadata(options: { topics: readonly string[] }): Promise<{ topicMetadata: { topic: string }[] }>
    addMultipleTargetTopics(topics: readonly string[]): Promise<void>
    findTopicPartitionMetadata(topic: string): Cluster.PartitionMetadata[]
    findBroker(options: { nodeId: number }): Promise<Broker>
    findControllerBroker(): Promise<Broker>
    findGroupCoordinator(options: { groupId: string; coordinatorType: number }): Promise<Broker>
  }
  namespace Cluster {
    interface PartitionMetadata {
      readonly partitionId: number
      readonly leader: number
      readonly replicas: readonly number[]
    }
  }
  export = Cluster
}

declare module 'kafkajs/src/broker/index.js' {
  interface PartitionAnswers<T> {
    readonly topic: string
    readonly partitions: readonly T[]
  }
  class Broker {
    readonly connectionPool: {
      getConnection(index: number): Promise<unknown>
      send<T>(request: object): Promise<T>
    }
    /** By api key. */
    readonly versions: Readonly<Record<string, { readonly minVersion: number; readonly maxVersion: number }>>
    isConnected(): boolean
    listOffsets(request: object): Promise<{ responses: PartitionAnswers<{ offset: string }>[] }>
    createTopics(request: object): Promise<unknown>
    deleteTopics(request: object): Promise<unknown>
    describeConfigs(request: object): Promise<{
      resources: { configEntries: { configName: string; configValue: string }[] }[]
    }>
    initProducerId(request: object): Promise<{ producerId: string; producerEpoch: number }>
    addPartitionsToTxn(request: object): Promise<unknown>
    endTxn(request: object): Promise<unknown>
    offsetCommit(request: object): Promise<unknown>
    deleteGroups(groupIds: readonly string[]): Promise<unknown>
  }
  export = Broker
}

declare module 'kafkajs/src/loggers/index.js' {
  interface Entry {
    readonly namespace: string
    readonly level: number
    readonly log: Readonly<Record<string, unknown>>
  }
  export function createLogger(options: { level: number; logCreator: () => (entry: Entry) => void }): unknown
}

declare module 'kafkajs/src/network/requestQueue/index.js' {
  class RequestQueue {
    readonly pending: readonly unknown[]
    scheduleCheckPendingRequests(): void
  }
  export = RequestQueue
}

declare module 'kafkajs/src/protocol/encoder.js' {
  class Encoder {
    writeInt16(value: number): this
    writeInt32(value: number): this
    writeString(value: string | null): this
    writeBytes(value: Buffer): this
  }
  export = Encoder
}

declare module 'kafkajs/src/protocol/requests/fetch/v11/request.js' {
  function request(options: object): object
  export = request
}

declare module 'kafkajs/src/protocol/error.js' {
  export function createErrorFromCode(code: number): Error
}
