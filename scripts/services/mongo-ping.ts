import { MongoClient } from 'mongodb'
import { isListening } from './ports.ts'

/** Whether a server of the MongoDB protocol answers on this port of the loopback address. */
export async function answersPing(port: number): Promise<boolean> {
  if (!(await isListening(port))) return false
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/`, {
    directConnection: true,
    serverSelectionTimeoutMS: 2_000,
  })
  try {
    await client.db('admin').command({ ping: 1 })
    return true
  } catch {
    return false
  } finally {
    await client.close()
  }
}
