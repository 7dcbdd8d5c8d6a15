import { expect, it } from 'vitest'
import { loadConfig } from '#src/config/load.ts'
import { productVariables, type RunningService, type ServiceName } from '../../../scripts/services/catalogue.ts'

const running = (name: ServiceName, address: string): RunningService => ({
  name,
  address,
  pids: [],
  folder: '',
  logFile: '',
})
const kafka = running('kafka', '127.0.0.1:9092')
const registry = running('registry', 'http://127.0.0.1:8081/apis/ccompat/v7')
const mongo = running('mongo-java', 'mongodb://127.0.0.1:27017/')

it('the exports of npm run services lead the product to all that runs, the schema registry too', () => {
  const { config } = loadConfig({
    flags: {},
    environment: productVariables([mongo, registry, kafka]),
    file: undefined,
  })

  expect(config.engine).toMatchObject({ log: 'kafka', store: 'mongodb' })
  expect([config.kafka.brokers, config.mongodb.uri, config.registry.url]).toEqual([
    [kafka.address],
    mongo.address,
    registry.address,
  ])
})

it('without a log or a store they say nothing of the product', () => {
  expect(productVariables([kafka, registry])).toEqual({})
  expect(productVariables([mongo, registry])).toEqual({})
  expect(productVariables([mongo, kafka])).not.toHaveProperty('LEDGER_REGISTRY_URL')
})
