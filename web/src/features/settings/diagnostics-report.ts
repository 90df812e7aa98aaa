/** The diagnosis as a text for support. */
import type { Diagnosis } from './diagnose.ts'

/** Returns lines of states, counts and codes. Instants are in UTC. */
export function reportText(
  diagnosis: Diagnosis,
  { online, serverVersion }: { online: boolean; serverVersion: string | null },
  now = Date.now(),
): string {
  const { tasks, entries, unsaved, refused, putAside, complete, clockOffset } = diagnosis
  const { storageBytes, isPersistent, events } = diagnosis
  const kinds = [...unsaved].map(([kind, count]) => `${count} ${kind}`).join(', ')
  const { language, userAgent } = navigator
  return [
    `Stint diagnostics, ${iso(now)}`, // not translated: support reads it
    `Server: ${serverVersion === null ? 'not Stint’s own, or no answer' : `Stint ${serverVersion}`}`,
    `Browser: ${userAgent}`,
    `Language: ${language}, zone: ${Temporal.Now.timeZoneId()}`,
    `Window: ${innerWidth} × ${innerHeight}`,
    `Sync: ${online ? 'online' : 'offline'}, history ${complete ? 'complete' : 'not complete'}`,
    `Unsaved: ${kinds === '' ? 'nothing' : kinds}${refused === 0 ? '' : `, ${refused} refused`}`,
    `Stored: ${tasks} tasks, ${entries} entries, ${putAside} put aside`,
    `Storage: ${storageBytes === null ? 'unknown' : sizeText(storageBytes)}, persistent: ${isPersistent ?? 'unknown'}`,
    `Clock: ${Math.round(clockOffset)} ms behind the server's`,
    '',
    ...events.map(({ at, what }) => `${iso(at)} ${what}`),
  ].join('\n')
}

/** Returns a size such as '0.4 MB'. */
function sizeText(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}
