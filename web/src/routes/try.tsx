import { TryOut } from '#features/guest/try-out.tsx'

/** /try: opens the app on a record of this browser, without an account. */
export function Component() {
  return <TryOut />
}
