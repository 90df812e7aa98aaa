import type { ComponentType } from 'react'

type Load = () => Promise<{ readonly Component: ComponentType }>

interface Part {
  loaded: ComponentType | null
  loading: Promise<void> | null
  readonly load: Load
}

const parts = new WeakMap<ComponentType, Part>()

/** Returns a component for the module that `load` imports. It renders nothing until it is loaded. */
export function screen(load: Load): ComponentType {
  const part: Part = { loaded: null, loading: null, load }
  function Screen() {
    return part.loaded && <part.loaded />
  }
  parts.set(Screen, part)
  return Screen
}

/** Returns whether the component's code is loaded; true for components that `screen` did not create. */
export function isLoaded(component: ComponentType): boolean {
  return parts.get(component)?.loaded !== null
}

/** Loads the component's code once. Rejects on failure; the next call retries. */
export async function loadScreen(component: ComponentType): Promise<void> {
  const part = parts.get(component)
  if (!part) return
  part.loading ??= part.load().then(
    ({ Component }) => {
      part.loaded = Component
    },
    (error: unknown) => {
      part.loading = null
      throw error
    },
  )
  await part.loading
}
