import { useRef } from 'react'
import type { ComponentProps, KeyboardEvent } from 'react'

/**
 * A form that submits once: it ignores a second submit while the first is in progress, and an Enter
 * that only ends a composition (Japanese, Chinese, Korean).
 */
export function Form({
  onSend,
  ...props
}: Omit<ComponentProps<'form'>, 'onSubmit' | 'onKeyDown'> & { onSend: () => Promise<void> }) {
  const sending = useRef(false)
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it handles events of its controls, and is none itself
    <form
      {...props}
      onKeyDown={keepComposing}
      onSubmit={(event) => {
        event.preventDefault()
        if (sending.current) return
        sending.current = true
        void onSend().finally(() => {
          sending.current = false
        })
      }}
    />
  )
}

/** Safari reports the Enter that ends a composition as key 229, after `isComposing` is false again. */
function keepComposing(event: KeyboardEvent) {
  const composing = event.nativeEvent.isComposing || event.keyCode === 229
  if (event.key === 'Enter' && composing) event.preventDefault()
}
