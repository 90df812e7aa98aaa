/**
 * Loaded before all else (`node --import`): Node keeps what it makes of the sources, so that the next
 * start need not strip types again. That takes a WebAssembly module of 25 MB, which would stay in
 * memory. JavaScript, as it has to be there before the first file with types. Where nothing can be
 * written, it is done anew each time.
 */
import module from 'node:module'
import { fileURLToPath } from 'node:url'

// An older Node is told by the server itself that it is too old.
module.enableCompileCache?.(
  fileURLToPath(new URL('../../node_modules/.cache/stint', import.meta.url)),
)
