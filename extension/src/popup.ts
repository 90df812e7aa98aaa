/** The popup of the toolbar: the timer, and the line that starts one. */
import { formatTimer, exactDuration } from '@stint/core/time/duration.ts'

import type { Access } from '#access.ts'
import { readAccess } from '#access.ts'
import type { NamedTask, Start, Timer } from '#api.ts'
import { call, Failure } from '#api.ts'
import { showFailureOnBadge, showOnBadge } from '#badge.ts'
import { choicesOf } from '#choices.ts'
import { forgetDraft, readDraft, storeDraft } from '#draft.ts'
import { lineOf, suggestionFor } from '#page.ts'
import { element, sentenceOf } from '#page-parts.ts'
import { fillTexts, text } from '#text.ts'

const panel = element('timer', HTMLElement)
const state = element('state', HTMLParagraphElement)
const clock = element('clock', HTMLParagraphElement)
const task = element('task', HTMLParagraphElement)
const turnButton = element('turn', HTMLButtonElement)
const stopButton = element('stop', HTMLButtonElement)
const form = element('form', HTMLFormElement)
const line = element('line', HTMLInputElement)
const choices = element('choices', HTMLDivElement)
const choiceList = element('choice-list', HTMLDivElement)
const said = element('said', HTMLParagraphElement)
const problem = element('problem', HTMLParagraphElement)
const fixButton = element('fix', HTMLButtonElement)
const open = element('open', HTMLAnchorElement)
const optionsButton = element('options', HTMLButtonElement)

/** The last answer of the server. */
let timer: Timer | null = null
/** When it came, by the clock of this computer, in milliseconds. */
let answeredAt = 0
/** While a press is on its way, others do nothing. */
let isBusy = false
/** The page that the popup is over, and what its title suggests, once they are known. */
let page: { url: string; title: string } | null = null
let suggestion: ReturnType<typeof suggestionFor> | null = null

fillTexts()
for (const button of [optionsButton, fixButton]) {
  button.addEventListener('click', () => void chrome.runtime.openOptionsPage())
}
// The page listens at once. What is pressed before the rest is known waits for it.
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void press((access) => start(access, wanted()))
})
turnButton.addEventListener('click', () => void press(turn))
stopButton.addEventListener('click', () => void press(stop))
line.addEventListener('input', () => void storeDraft(line.value, page?.url ?? ''))
line.focus()

const opening = openPopup()

/** Fills the popup. Returns the server it works with, null if there is none. */
async function openPopup(): Promise<Access | null> {
  page = await openPage()
  suggestion = page && suggestionFor(page)
  await fillLine()
  const access = await readAccess()
  if (access === null) {
    form.hidden = true
    fixButton.hidden = false
    problem.textContent = text('notConnected')
    return null
  }
  open.href = `${access.server}/dashboard`
  open.hidden = false
  setInterval(showClock, 1000)
  await carryOut(access, async () => show((await call(access, 'GET now')).timer))
  return access
}

/** Carries out a press, unless another is on its way. */
async function press(work: (access: Access) => Promise<void>): Promise<void> {
  if (isBusy) return
  isBusy = true
  const access = await opening
  if (access !== null) {
    said.textContent = ''
    problem.textContent = ''
    fixButton.hidden = true
    showChoices([])
    await carryOut(access, () => work(access))
  }
  isBusy = false
}

/** Does the work, and says in one sentence why it failed. What is typed stays. */
async function carryOut(access: Access, work: () => Promise<void>): Promise<void> {
  const failure: unknown = await work().then(
    () => null,
    (error: unknown) => error,
  )
  if (failure === null) return showOnBadge(timer)
  showFailure(failure, access)
  await showFailureOnBadge(failure)
}

function showFailure(failure: unknown, access: Access): void {
  const kind = failure instanceof Failure ? failure.kind : null
  if (failure instanceof Failure && kind === 'tasks') return showChoices(failure.choices)
  if (kind === 'no-timer') show(null)
  problem.textContent = sentenceOf(failure, access.server)
  fixButton.hidden = kind !== 'key' && kind !== 'read-only' && kind !== 'not-allowed'
}

/** What the line asks for: a suggestion is taken as it is, what somebody types is read by the server. */
function wanted(): Start {
  const typed = line.value.trim()
  if (suggestion === null || typed !== lineOf(suggestion)) return { line: typed }
  const { name, tag } = suggestion
  return tag === '' ? { newTask: name } : { newTask: name, note: `#${tag}` }
}

async function start(access: Access, what: Start): Promise<void> {
  if ('line' in what && what.line === '') return line.focus()
  const answer = await call(access, 'POST start', what)
  await forgetDraft()
  line.value = ''
  show(answer.timer)
  said.textContent = text('started', answer.timer.task.name)
  line.focus()
}

async function turn(access: Access): Promise<void> {
  const route = timer?.state === 'running' ? 'POST pause' : 'POST resume'
  show((await call(access, route)).timer)
}

async function stop(access: Access): Promise<void> {
  const { session } = await call(access, 'POST stop')
  show(null)
  said.textContent =
    session === null
      ? text('notSaved')
      : text('stopped', session.task.name, exactDuration(session.seconds))
  line.focus()
}

/** Shows what the server answered. */
function show(next: Timer | null): void {
  timer = next
  answeredAt = Date.now()
  panel.hidden = timer === null
  if (timer === null) return
  const isRunning = timer.state === 'running'
  panel.classList.toggle('paused', !isRunning)
  state.textContent = text(isRunning ? 'running' : 'paused')
  task.textContent = timer.task.name
  turnButton.textContent = text(isRunning ? 'pause' : 'resume')
  showClock()
}

function showClock(): void {
  if (timer === null) return
  const since = timer.state === 'running' ? Math.max(0, Date.now() - answeredAt) / 1000 : 0
  clock.textContent = formatTimer(Math.floor(timer.seconds + since))
}

/** Asks which task the line means: those that the server found, or a new one. */
function showChoices(found: readonly NamedTask[]): void {
  choices.hidden = found.length === 0
  const typed = line.value.trim()
  const buttons = choicesOf(typed, found).map(({ name, isNew, start: what }) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = isNew ? text('newTask', name) : name
    button.addEventListener('click', () => {
      void press((access) => start(access, what))
    })
    return button
  })
  choiceList.replaceChildren(...buttons)
  buttons[0]?.focus()
}

/** Returns the page that the popup is over, if the browser shows it to the extension. */
async function openPage(): Promise<{ url: string; title: string } | null> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true })
  const { url = '', title = '' } = tab ?? {}
  return url === '' ? null : { url, title }
}

/**
 * Fills the line: with a selection that could not be started, what was typed here before, or the page's title. What
 * somebody typed meanwhile stays.
 */
async function fillLine(): Promise<void> {
  const selection = new URLSearchParams(location.search).get('line')
  const url = page?.url ?? ''
  const draft = await readDraft(url)
  if (line.value !== '') return storeDraft(line.value, url)
  line.value = selection ?? draft ?? (suggestion ? lineOf(suggestion) : '')
  line.select()
}
