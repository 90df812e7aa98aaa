import type { ComponentType, ReactNode } from 'react'

/** A part of a page. A guard or a layout renders the screen as its children. */
export type ScreenComponent = ComponentType<{ children?: ReactNode }>

type Load = () => Promise<{ readonly Component: ScreenComponent }>

interface Part {
  loaded: ScreenComponent | null
  loading: Promise<void> | null
  readonly load: Load
}

const parts = new WeakMap<ScreenComponent, Part>()

/** Returns a component for the module that `load` imports. It renders nothing until it is loaded. */
export function screen(load: Load): ScreenComponent {
  const part: Part = { loaded: null, loading: null, load }
  function Screen({ children }: { children?: ReactNode }) {
    return part.loaded && <part.loaded>{children}</part.loaded>
  }
  parts.set(Screen, part)
  return Screen
}

/** Returns whether the component's code is loaded; true for components that `screen` did not create. */
export function isLoaded(component: ScreenComponent): boolean {
  return parts.get(component)?.loaded !== null
}

/** Loads the component's code once. Rejects on failure; the next call retries. */
export async function loadScreen(component: ScreenComponent): Promise<void> {
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
