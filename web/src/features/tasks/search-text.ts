import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from '#ui/navigation.tsx'

const WRITE_AFTER_MILLISECONDS = 250

/**
 * Returns the text of the search box, which is kept in the URL (`?q=`) so that Back restores it. The
 * URL follows with a delay, because a navigation is slower than typing and would restore an older text.
 */
export function useSearchText(): [text: string, setText: (text: string) => void] {
  const [params, setParams] = useSearchParams()
  const inAddress = params.get('q') ?? ''
  const [text, setText] = useState(inAddress)
  const written = useRef(inAddress)

  useEffect(() => {
    if (text === written.current) return undefined
    const timeout = setTimeout(() => {
      written.current = text
      setParams(text === '' ? {} : { q: text }, { replace: true })
    }, WRITE_AFTER_MILLISECONDS)
    return () => clearTimeout(timeout)
  }, [text, setParams])

  // The URL was changed elsewhere: by the Tasks link, or by Back.
  useEffect(() => {
    if (inAddress === written.current) return
    written.current = inAddress
    setText(inAddress)
  }, [inAddress])

  return [text, setText]
}
