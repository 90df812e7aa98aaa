/** Node's cache of compiled sources, for the programs that tests start. */
import { fileURLToPath } from 'node:url'

/**
 * The environment of a program that a test starts: Node then keeps what it compiled, in the folder of the server
 * (`server/src/compile-cache.js`). To strip the types of a command takes longer than the command.
 */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/stint', import.meta.url)),
}
