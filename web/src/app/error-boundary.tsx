import { Component } from 'react'
import type { ReactNode } from 'react'
import type { Location } from '#ui/navigation.tsx'

import { ErrorPage } from './error-page.tsx'

interface Props {
  /** The current location. The boundary resets when it changes. */
  readonly location: Location
  readonly children: ReactNode
}

interface State {
  readonly location: Location
  readonly failure: { readonly error: unknown } | null
}

/** Shows the error page in place of a screen that threw, until the location changes. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { location: this.props.location, failure: null }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } }
  }

  static getDerivedStateFromProps({ location }: Props, state: State): State | null {
    return location === state.location ? null : { location, failure: null }
  }

  override render() {
    const { failure } = this.state
    return failure ? <ErrorPage error={failure.error} /> : this.props.children
  }
}
