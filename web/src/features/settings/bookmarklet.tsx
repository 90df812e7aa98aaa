import { Copy } from 'lucide-react'
import { t } from '@stint/core/text.ts'
import { useRef } from 'react'
import { Button, buttonClasses } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { Icon } from '#ui/icon.tsx'
import { LabelledRow } from '#ui/labelled-row.tsx'
import { showToast } from '#ui/toast.tsx'

/** A link for the bookmarks: on any page it opens Stint with a line that starts a timer. */
export function BookmarkletRow() {
  const place = useRef<HTMLDivElement>(null)
  const dashboard = new URL(`${import.meta.env.BASE_URL}dashboard`, location.origin).href
  const address = bookmarkletFor(dashboard)

  async function copy() {
    if (!place.current) return
    const isCopied = await copyText(address, place.current)
    showToast({
      text: isCopied
        ? t('Copied. Paste it as the address of a bookmark.')
        : t('Couldn’t copy. Your browser blocked the clipboard.'),
    })
  }

  return (
    <LabelledRow
      wide
      label={t('Bookmark')}
      hint={t(
        'Drag the link to your bookmarks. On any page it opens Stint with the selected text, or the title of the page, in the line that starts a timer.',
      )}
    >
      <div ref={place} className="flex flex-wrap gap-2">
        <a
          href={dashboard}
          // React refuses addresses that are scripts. This one is to be dragged, and does nothing here.
          ref={(link) => link?.setAttribute('href', address)}
          onClick={(event) => event.preventDefault()}
          className={buttonClasses()}
        >
          {t('Start in Stint')}
        </a>
        <Button aria-label={t('Copy the bookmark')} onClick={() => void copy()}>
          <Icon of={Copy} />
          {t('Copy')}
        </Button>
      </div>
    </LabelledRow>
  )
}

/** How much of a selection it takes: as much as the name of a task may have. */
const MAX_LINE = 255

/**
 * Returns the address of a bookmark that opens the dashboard in a new window with the selection, or else the title, of
 * the page it is pressed on. The page cannot reach that window.
 */
export function bookmarkletFor(dashboard: string): string {
  const text = '(String(getSelection()).trim()||document.title)'
  const line = `encodeURIComponent([...${text}].slice(0,${MAX_LINE}).join(''))`
  const script = `void open('${dashboard}?line='+${line},'_blank','noopener')`
  return `javascript:${encodeURIComponent(script)}` // oxlint-disable-line no-script-url
}
