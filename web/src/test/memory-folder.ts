/** A folder in memory in place of the browser's file system, with a disk that can be full or gone. */

const missing = () => new DOMException('missing', 'NotFoundError')

export interface MemoryFolder {
  readonly handle: FileSystemDirectoryHandle
  /** The contents of the complete files by name. */
  readonly files: Map<string, string>
  readonly folders: Map<string, MemoryFolder>
  /** The name of the error of each write, or null. */
  failure: string | null
  /** What `queryPermission` answers. */
  permission: PermissionState
}

/** Returns an empty folder. */
export function memoryFolder(name = ''): MemoryFolder {
  const files = new Map<string, string>()
  const folders = new Map<string, MemoryFolder>()
  const handle = {
    name,
    kind: 'directory',
    async getFileHandle(file: string, options?: { create?: boolean }) {
      if (folder.failure === 'NotFoundError') throw missing()
      if (!files.has(file) && !options?.create) throw missing()
      if (!files.has(file)) files.set(file, '')
      return fileHandle(file)
    },
    async getDirectoryHandle(child: string, options?: { create?: boolean }) {
      if (!folders.has(child) && !options?.create) throw missing()
      const found = folders.get(child) ?? memoryFolder(child)
      folders.set(child, found)
      return found.handle
    },
    async removeEntry(entry: string) {
      if (!files.delete(entry) && !folders.delete(entry)) throw missing()
    },
    async *keys() {
      if (folder.failure === 'NotFoundError') throw missing()
      yield* [...files.keys(), ...folders.keys()]
    },
    async *values() {
      if (folder.failure === 'NotFoundError') throw missing()
      yield* [...files.keys()].map(fileHandle)
      yield* [...folders.values()].map((each) => each.handle)
    },
    queryPermission: async () => folder.permission,
    requestPermission: async () => (folder.permission = 'granted'),
  }
  const folder: MemoryFolder = {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part that the app uses
    handle: handle as unknown as FileSystemDirectoryHandle,
    files,
    folders,
    failure: null,
    permission: 'granted',
  }
  return folder

  function fileHandle(file: string) {
    return {
      name: file,
      kind: 'file',
      getFile: async () => new File([files.get(file) ?? ''], file),
      async createWritable() {
        let written = ''
        return {
          async write(text: string) {
            if (folder.failure !== null) throw new DOMException('failed', folder.failure)
            written += text
          },
          async close() {
            files.set(file, written)
          },
          async abort() {
            written = ''
          },
        }
      },
    }
  }
}
