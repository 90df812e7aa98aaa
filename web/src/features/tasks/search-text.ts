import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'

const WRITE_AFTER_MILLISECONDS = 250

/**
 * The text of the search box, kept in the address (`?q=`) so that Back finds it again. What is
 * typed is here at once; the address follows when the typing rests, because a navigation takes
 * longer than a fast finger and would give back an older text.
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

  // Somebody else changed the address: the Tasks link, or Back.
  useEffect(() => {
    if (inAddress === written.current) return
    written.current = inAddress
    setText(inAddress)
  }, [inAddress])

  return [text, setText]
}
