import { DatabaseSync } from 'node:sqlite'
import { afterEach, expect, it } from 'vitest'
import { WriterCaches } from '#src/adapters/sqlite/writer-caches.ts'

const mebibyte = 1 << 20
const opened: DatabaseSync[] = []
afterEach(() => {
  for (const database of opened.splice(0)) database.close()
})

function databaseOf(bytes: number): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  opened.push(database)
  database.exec('CREATE TABLE blobs (data BLOB)')
  grow(database, bytes)
  return database
}

function grow(database: DatabaseSync, bytes: number): void {
  database.prepare('INSERT INTO blobs VALUES (zeroblob(?))').run(bytes)
}

/** In MiB. */
function cacheOf(database: DatabaseSync): number {
  const { cache_size: kibibytes } = database.prepare('PRAGMA cache_size').get() as { cache_size: number }
  return Math.round(-kibibytes / 1_024)
}

it('gives small files what they can use and large ones equal shares of the rest', () => {
  const caches = new WriterCaches(40 * mebibyte)
  const [small, large, larger] = [1, 30, 60].map((size) => databaseOf(size * mebibyte)) as [
    DatabaseSync,
    DatabaseSync,
    DatabaseSync,
  ]
  caches.join(large)
  expect(cacheOf(large)).toBe(34)
  for (const database of [small, larger]) caches.join(database)

  // The small one has room to grow by four.
  expect([small, large, larger].map(cacheOf)).toEqual([5, 17, 17])

  caches.leave(larger)
  expect([small, large].map(cacheOf)).toEqual([5, 34])
})

it('follows files that grow', () => {
  const caches = new WriterCaches(64 * mebibyte)
  const database = databaseOf(mebibyte)
  caches.join(database)
  grow(database, 20 * mebibyte)
  expect(cacheOf(database)).toBe(5)

  for (let commit = 0; commit < 32; commit++) caches.committed()

  expect(cacheOf(database)).toBe(25)
})
