/** What accompanies every signed-in screen: loaded behind it by load-companions.tsx. */
import { Focus } from '#features/focus/focus.tsx'
import { Keyboard } from '#features/keyboard/keyboard.tsx'
import { UrlActions } from '#features/timer/url-actions.tsx'

export function Companions({ earlyKeys }: { earlyKeys: readonly KeyboardEvent[] }) {
  return (
    <>
      <Keyboard earlyKeys={earlyKeys} />
      <UrlActions />
      <Focus />
    </>
  )
}
