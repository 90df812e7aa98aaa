import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from '#ui/navigation.tsx'

const NONE: readonly string[] = []
const WRITE_AFTER_MILLISECONDS = 250

/**
 * Returns the text of the search box, which is kept in the URL (`?q=`) so that Back restores it. The
 * URL follows with a delay, because a navigation is slower than typing and would restore an older text.
 * @param textNamed returns the text that `?filter=` names.
 * @param kept the other parameters of the page that stay in the URL.
 */
export function useSearchText(
  textNamed: (name: string) => string = () => '',
  kept: readonly string[] = NONE,
): [text: string, setText: (text: string) => void] {
  const [params, setParams] = useSearchParams()
  const inAddress = params.get('q') ?? textNamed(params.get('filter') ?? '')
  const [text, setText] = useState(inAddress)
  const written = useRef(inAddress)

  useEffect(() => {
    if (text === written.current) return undefined
    const timeout = setTimeout(() => {
      written.current = text
      const next = new URLSearchParams([...params].filter(([name]) => kept.includes(name)))
      if (text !== '') next.set('q', text)
      setParams(next, { replace: true })
    }, WRITE_AFTER_MILLISECONDS)
    return () => clearTimeout(timeout)
  }, [text, params, kept, setParams])

  // The URL was changed elsewhere: by the Tasks link, or by Back.
  useEffect(() => {
    if (inAddress === written.current) return
    written.current = inAddress
    setText(inAddress)
  }, [inAddress])

  return [text, setText]
}
