/**
 * mongo-java-server keeps documents and their index in two maps of H2. A kill may leave a document that the index does not
 * know: then it refuses to write that key for good. Or it may lose a checkpoint that it had confirmed and keep rows that were
 * written before it, which the next owner rightly refuses to build on.
 */
const brokenStore = /already existed in H2Collection|was written at \d+, but the read model stands at \d+/

/** Servers of a stand-in that a drill may wear out. */
export const serversMax = 4

/** Runs a drill on one new server after another until one does not contradict itself; else it is skipped, which is told. */
export async function onSoundServer(skip: (note: string) => void, drill: () => Promise<void>): Promise<void> {
  for (let attempt = 1; attempt <= serversMax; attempt++) {
    try {
      await drill()
      return
    } catch (error) {
      if (!brokenStore.test((error as Error).message)) throw error
      console.log(`attempt ${attempt}: ${(error as Error).message}; the drill begins anew on another server`)
    }
  }
  skip(`${serversMax} servers contradicted themselves after a kill, which is no fault of what is tested`)
}
