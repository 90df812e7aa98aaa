/** Permission to write into a folder that the user chose, which browsers may withdraw. */

/** What lib.dom does not describe yet: https://wicg.github.io/file-system-access/ */
interface WithPermission {
  queryPermission?: (descriptor: { mode: 'readwrite' }) => Promise<PermissionState>
  requestPermission?: (descriptor: { mode: 'readwrite' }) => Promise<PermissionState>
}
interface WithPicker {
  showDirectoryPicker: (options: {
    id: string
    mode: 'readwrite'
    startIn: 'documents'
  }) => Promise<FileSystemDirectoryHandle>
}

const WRITING = { mode: 'readwrite' } as const

/** Returns whether the app may write into the folder now, without asking. */
export async function permissionOf(
  folder: FileSystemDirectoryHandle & WithPermission,
): Promise<PermissionState> {
  return (await folder.queryPermission?.(WRITING)) ?? 'granted'
}

/** Asks for permission. Only in the handler of a press, as browsers refuse otherwise. */
export async function askPermission(
  folder: FileSystemDirectoryHandle & WithPermission,
): Promise<PermissionState> {
  return (await folder.requestPermission?.(WRITING)) ?? 'granted'
}

/** Lets the user choose a folder. Returns null when the user has cancelled. */
export async function pickFolder(): Promise<FileSystemDirectoryHandle | null> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- canChooseFolder has checked it
    const picker = globalThis as unknown as WithPicker
    return await picker.showDirectoryPicker({ ...WRITING, id: 'stint', startIn: 'documents' })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  }
}
