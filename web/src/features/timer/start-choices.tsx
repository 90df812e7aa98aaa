/* oxlint-disable jsx-a11y/prefer-tag-over-role -- the platform's lists cannot be moved through while a field has the focus */
import { CornerDownLeft } from 'lucide-react'
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { t } from '@stint/core/text.ts'
import { Icon } from '#ui/icon.tsx'
import { NamedOption, Option, placeAfter } from '#ui/listbox.tsx'
import { useNameLine, useStartLine } from '#hooks/use-start-line.ts'
import type { LineChoice } from '#hooks/use-start-line.ts'

interface Props {
  /** The id of the list. */
  id: string
  text: string
  /** Whether the text names the task that is being timed. */
  names: boolean
  /** Is given the function that handles a key and returns whether it did. */
  press: RefObject<((key: string) => boolean) | null>
  /** Whether Enter was pressed before there was a choice: before this or the tasks were loaded. */
  isEntered: boolean
  onEntered: (isEntered: boolean) => void
  /** Called with the id of the choice that Enter takes; null without one. */
  onActive: (id: string | null) => void
  /** Called before a timer starts or the task gets its name, and the field goes. */
  onStart: () => void
  /** Called when the choice is saved. */
  onDone: () => void
  /** Called with the line that a choice completes. */
  onComplete: (line: string) => void
}

/** What the typed line may start, below its field. The first choice, or the one moved to, is Enter's. */
export function StartChoices({ names, ...props }: Props) {
  return names ? <NameChoices {...props} /> : <LineChoices {...props} />
}

function LineChoices(props: Omit<Props, 'names'>) {
  const read = useStartLine()
  return <Choices {...props} {...read(props.text)} />
}

function NameChoices(props: Omit<Props, 'names'>) {
  const read = useNameLine()
  return <Choices {...props} {...read(props.text)} />
}

function Choices({
  id,
  text,
  press,
  isEntered,
  onEntered,
  onActive,
  onStart,
  onDone,
  onComplete,
  choices,
  problem,
}: Omit<Props, 'names'> & { choices: readonly LineChoice[]; problem: string | null }) {
  const [moved, setMoved] = useState({ text, place: 0 })
  /** The line whose choice is being saved, or is saved and about to be cleared. */
  const taken = useRef<string | null>(null)
  const place = moved.text === text ? Math.min(moved.place, choices.length - 1) : 0
  const active = choices[place]
  const idOf = (index: number) => `${id}-${index}`
  const activeId = active ? idOf(place) : null

  const tell = useEffectEvent((activeId: string | null) => onActive(activeId))
  useEffect(() => {
    tell(activeId)
    return () => tell(null)
  }, [activeId])

  /**
   * Enter pressed twice must not add the same time twice, nor between the save and the frame that
   * clears the line.
   */
  async function choose(choice: LineChoice | undefined): Promise<void> {
    if (choice?.completed !== undefined) return onComplete(choice.completed)
    if (!choice || taken.current === text) return
    taken.current = text
    if (!choice.leavesTimer) onStart()
    let isDone = false
    try {
      isDone = await choice.run()
      if (isDone) onDone()
    } finally {
      if (!isDone) taken.current = null
    }
  }

  useImperativeHandle(press, () => (key: string) => {
    const next = placeAfter(key, place, choices.length)
    if (key === 'Enter') {
      if (!active) onEntered(true)
      void choose(active)
    } else if (next !== null) setMoved({ text, place: next })
    else return false
    return true
  })
  const chooseEntered = useEffectEvent(() => {
    if (!isEntered) return
    onEntered(false)
    void choose(active)
  })
  useEffect(() => {
    if (activeId !== null) chooseEntered()
  }, [activeId])

  if (!active && problem === null) return null
  return (
    <div className="absolute inset-x-0 top-full z-20 mt-2 animate-appear rounded-panel border border-line bg-raised shadow-float">
      {active && (
        <div
          id={id}
          role="listbox"
          aria-label={t('What are you working on?')}
          className="max-h-[min(20rem,45dvh)] overflow-y-auto overscroll-contain p-1"
        >
          {choices.map((choice, index) => (
            <Option
              key={idOf(index)}
              id={idOf(index)}
              active={index === place}
              onPoint={() => setMoved({ text, place: index })}
              onChoose={() => void choose(choice)}
            >
              <NamedOption {...choice} tintName={choice.color} />
              {index === place && (
                <Icon of={CornerDownLeft} className="size-4 shrink-0 text-quiet" />
              )}
            </Option>
          ))}
        </div>
      )}
      {problem !== null && <p className="px-3 py-2 text-sm text-danger">{problem}</p>}
      <output className="sr-only">{active ? inOneLine(active) : problem}</output>
    </div>
  )
}

function inOneLine({ before, name, after, details }: LineChoice): string {
  return [`${before}${name}${after}`, details].filter((part) => part !== '').join(' · ')
}
