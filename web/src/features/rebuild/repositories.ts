/** Repositories of git in a folder of this computer, of which only the log of HEAD is read. */
import { t } from '@stint/core/text.ts'

/** How deep in a folder repositories are looked for, and how many at most. */
const MAX_DEPTH = 2
const MAX_REPOSITORIES = 200

/** What browsers have that let people choose a folder. */
interface Picker {
  showDirectoryPicker(options: object): Promise<FileSystemDirectoryHandle>
}

interface Permitted extends FileSystemDirectoryHandle {
  requestPermission?(options: object): Promise<PermissionState>
}

/** Returns whether this browser lets people choose a folder. */
export function canPickFolder(): boolean {
  return 'showDirectoryPicker' in globalThis
}

/**
 * Asks for a folder, and resolves with the repositories in it; with null when none was chosen. Throws an error
 * with a sentence if there are none.
 */
export async function pickRepositories(): Promise<readonly FileSystemDirectoryHandle[] | null> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript does not know it yet
  const picker = globalThis as unknown as Picker
  const root = await picker.showDirectoryPicker({ id: 'stint-git', mode: 'read' }).catch(() => null)
  if (!root) return null
  const found = await repositoriesIn(root, MAX_DEPTH)
  if (found.length === 0)
    throw new Error(t('There is no repository in {name}.', { name: root.name }))
  return found.slice(0, MAX_REPOSITORIES)
}

/** Resolves with the log of HEAD. Throws an error with a sentence if it may not or cannot be read. */
export async function readRepository(repository: FileSystemDirectoryHandle): Promise<string> {
  const { name } = repository
  const permitted: Permitted = repository
  if ((await permitted.requestPermission?.({ mode: 'read' })) === 'denied')
    throw new Error(t('Your browser may not read {name}.', { name }))
  try {
    const git = await repository.getDirectoryHandle('.git')
    const logs = await git.getDirectoryHandle('logs')
    return await (await (await logs.getFileHandle('HEAD')).getFile()).text()
  } catch {
    throw new Error(t('Couldn’t read {name}.', { name }))
  }
}

async function repositoriesIn(
  folder: FileSystemDirectoryHandle,
  depth: number,
): Promise<FileSystemDirectoryHandle[]> {
  if (await hasGit(folder)) return [folder]
  if (depth === 0) return []
  const found: FileSystemDirectoryHandle[] = []
  for await (const entry of folder.values()) {
    if (entry.kind !== 'directory' || entry.name.startsWith('.') || entry.name === 'node_modules')
      continue
    if (found.length >= MAX_REPOSITORIES) break
    found.push(...(await repositoriesIn(entry, depth - 1)))
  }
  return found
}

async function hasGit(folder: FileSystemDirectoryHandle): Promise<boolean> {
  return folder.getDirectoryHandle('.git').then(
    () => true,
    () => false,
  )
}
