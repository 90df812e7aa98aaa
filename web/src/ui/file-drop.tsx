import { FileUp } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { t } from '@stint/core/text.ts'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

/** Takes a file that is chosen by a dialog or dropped. What else brings text stands beside it. */
export function FileDrop({
  accept,
  inputRef,
  className,
  onFile,
  children,
}: {
  /** The types of files that the dialog offers first; all when missing. */
  accept?: string
  inputRef?: RefObject<HTMLInputElement | null>
  className?: string
  onFile: (file: File) => void
  children?: ReactNode
}) {
  const id = useId()
  const [isOver, setIsOver] = useState(false)
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) onFile(file)
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        take(event.dataTransfer.files)
      }}
      className={classNames(
        'flex flex-wrap items-center gap-x-4 gap-y-3 rounded-panel border border-dashed p-4 text-sm text-quiet transition-colors duration-80',
        isOver ? 'border-accent bg-accent-soft' : 'border-edge',
        className,
      )}
    >
      <input
        ref={inputRef}
        id={id}
        type="file"
        accept={accept}
        className="peer sr-only"
        onChange={(event) => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
      <label
        htmlFor={id}
        className="inline-flex h-11 cursor-pointer items-center gap-2 rounded-control border border-line bg-surface px-4 font-semibold text-ink outline-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 hover:border-edge hover:bg-wash md:h-9"
      >
        <Icon of={FileUp} />
        {t('Choose a file')}
      </label>
      <span className="max-md:hidden">{t('or drop it here')}</span>
      {children}
    </div>
  )
}
