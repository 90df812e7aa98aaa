/**
 * Loaded first (`node --import`). Node then caches the compiled sources, so that the next start
 * need not strip types again. Stripping needs a WebAssembly module of 25 MB, which would stay in
 * memory. The file is JavaScript because it runs before the first file with types. If the cache
 * cannot be written, the work is repeated at each start.
 */
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// An older Node has no such function; the server itself refuses it with a message.
module.enableCompileCache?.(
  fileURLToPath(new URL('../../node_modules/.cache/stint', import.meta.url)),
)
