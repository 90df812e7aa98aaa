/**
 * Replaces json-bigint in the browser's build of the SDK. Stint's documents have no integers beyond
 * 2^53, the built-in JSON parses a page of history many times faster, and the build is 11 KB smaller
 * (docs/decisions/0016-appwrite-projects.md).
 */
export default function plainJson(): JSON {
  return JSON
}
