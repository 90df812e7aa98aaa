/**
 * What the SDK reads and writes JSON with in the browser's build, in place of json-bigint: whole
 * numbers beyond 2^53 do not occur in Stint's documents, the platform's own JSON reads a page of
 * history many times faster, and 11 KB need not be loaded
 * (docs/decisions/0011-the-platforms-own-json.md).
 */
export default function plainJson(): JSON {
  return JSON
}
