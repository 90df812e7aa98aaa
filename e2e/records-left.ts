/**
 * Runs in a page of Stint. Returns what the databases of all people hold, without the number of the
 * last write.
 */
export async function recordsLeft(): Promise<unknown[]> {
  const left: unknown[] = []
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('stint-')) continue
    const database = await resultOf(indexedDB.open(name))
    for (const store of database.objectStoreNames) {
      const records = await resultOf(database.transaction(store).objectStore(store).getAll())
      left.push(...records.filter(({ key }) => key !== 'progress'))
    }
    database.close()
  }
  return left

  // oxlint-disable-next-line unicorn/consistent-function-scoping -- the page receives one function
  function resultOf<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result))
      request.addEventListener('error', () => reject(request.error ?? new Error('No result')))
    })
  }
}
