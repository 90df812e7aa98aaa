import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'

import { addTask, renderApp } from '#test/render-app.tsx'
import { navigate } from '#ui/navigation.tsx'
import type { RenderedApp } from '#test/render-app.tsx'

let app: RenderedApp

afterEach(() => app.close())

const LONG_NAME = 'n'.repeat(256)

describe('opening the app', () => {
  test('A signed-out visitor to the dashboard is redirected to the sign-in', async () => {
    app = await renderApp('/dashboard')
    expect(screen.getByText('Loading...')).toBeTruthy()
    await screen.findByRole('button', { name: 'Sign In' })
    expect(app.path()).toBe('/login')
  })

  test('A new user sees an empty dashboard', async () => {
    app = await renderApp('/dashboard', { signedIn: true })
    await screen.findByText('No tasks yet. Create your first task!')
    expect(screen.getByText('Select a task below to start timing')).toBeTruthy()
    expect(screen.getByText('Total Time Today')).toBeTruthy()
    expect(screen.getByText('Tasks Worked On')).toBeTruthy()
    expect(screen.getByText('Total Tasks')).toBeTruthy()
  })

  test('A failed load of the tasks shows an error, and Try Again loads them', async () => {
    app = await renderApp('/dashboard', { signedIn: true })
    app.intercept(async (request, send) =>
      request.url.includes('/tasks/documents')
        ? Response.json(
            { message: 'Server Error', type: 'general_unknown', code: 500, version: '1' },
            { status: 500 },
          )
        : send(),
    )
    await screen.findByText('Error loading tasks')
    expect(screen.getAllByText('Server Error').length).toBeGreaterThan(0)
    app.intercept(undefined)
    await app.person.click(screen.getByRole('button', { name: 'Try Again' }))
    await screen.findByText('No tasks yet. Create your first task!')
  })

  test('An unknown address shows the error page', async () => {
    app = await renderApp('/nowhere')
    await screen.findByRole('heading', { name: 'Page Not Found' })
    expect(screen.getByRole('link', { name: 'Contact Support' })).toBeTruthy()
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  test('An unknown address keeps the navigation of who is signed in', async () => {
    app = await renderApp('/dashboard', { signedIn: true })
    await screen.findByRole('heading', { name: 'Dashboard' })
    act(() => navigate('/nowhere'))
    const heading = await screen.findByRole('heading', { name: 'Page Not Found' })
    const page = within(heading.closest('main') ?? document.body)
    expect(screen.getAllByRole('main')).toHaveLength(1)
    expect(screen.getAllByRole('link', { name: 'Tasks' }).length).toBeGreaterThan(0)
    await app.person.click(page.getByRole('link', { name: 'Dashboard' }))
    await screen.findByRole('heading', { name: 'Dashboard' })
  })
})

describe('tasks', () => {
  test('After a task is added, the focus returns to the Add button unless the person has moved it', async () => {
    app = await renderApp('/tasks', { signedIn: true })
    const addOne = async (name: string, afterwards: () => void) => {
      const [open] = await screen.findAllByRole('button', { name: /^(Add|Create your first task)/ })
      if (open) await app.person.click(open)
      const field = await screen.findByLabelText('Task Name')
      await app.person.type(field, name)
      fireEvent.submit(field)
      // Runs before the task is saved.
      afterwards()
      await waitFor(() => expect(screen.queryByLabelText('Task Name')).toBeNull())
      await screen.findByText(name)
    }
    await addOne('Write', () => undefined)
    await waitFor(() => expect(document.activeElement?.textContent).toMatch(/^Add/))

    const [link] = screen.getAllByRole('link', { name: 'Reports' })
    await addOne('Read', () => link?.focus())
    expect(document.activeElement).toBe(link)
  })

  test('Tasks can be added, numbered, searched and deleted', async () => {
    app = await renderApp('/tasks', { signedIn: true })
    await screen.findByText('No tasks yet')
    await addTask(app.person, 'Write report')
    await screen.findByRole('link', { name: /Write report/ })
    await addTask(app.person, '  Plan the week  ')
    await screen.findByRole('link', { name: /Plan the week/ })

    await app.person.type(screen.getByPlaceholderText('Search tasks...'), 'WRITE')
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
    await app.person.type(screen.getByPlaceholderText('Search tasks...'), ' nothing')
    await screen.findByText('No tasks found matching your search')
    await app.person.clear(screen.getByPlaceholderText('Search tasks...'))
    const [first] = await screen.findAllByRole('button', { name: 'Delete task' })
    if (first) await app.person.click(first)
    await waitFor(() => expect(screen.queryByRole('link', { name: /Plan the week/ })).toBeNull())
    expect(app.path()).toBe('/tasks')
  })

  test.each([
    ['an empty', ''],
    ['a blank', '   '],
    ['an over-long', LONG_NAME],
  ])('A task with %s name is not added, and the field keeps the text', async (_, name) => {
    app = await renderApp('/tasks', { signedIn: true })
    await screen.findByText('No tasks yet')
    await app.person.click(screen.getByRole('button', { name: 'Create your first task' }))
    const field = await screen.findByLabelText<HTMLInputElement>('Task Name')
    if (name !== '') {
      await app.person.click(field)
      await app.person.paste(name)
    }
    const submit = screen.getAllByRole('button', { name: 'Add Task' }).at(-1)
    if (submit) await app.person.click(submit)

    expect(field.value).toBe(name)
    expect(screen.getByText('No tasks yet')).toBeTruthy()
  })
})

describe('the timer', () => {
  test('The timer starts, pauses, resumes and stops, and the dashboard shows each state', async () => {
    app = await renderApp('/tasks', { signedIn: true })
    await screen.findByText('No tasks yet')
    await addTask(app.person, 'Write report')
    await screen.findByRole('link', { name: /Write report/ })
    const [dashboard] = screen.getAllByRole('link', { name: 'Dashboard' })
    if (dashboard) await app.person.click(dashboard)
    await app.person.click(await screen.findByRole('button', { name: 'Start Write report' }))
    await screen.findByRole('button', { name: 'Pause' })
    app.server.clock.advance(61_000)
    await app.person.click(screen.getByRole('button', { name: 'Pause' }))
    await screen.findByRole('button', { name: 'Resume' })
    expect(screen.getByRole('timer').textContent).toBe('01:01')
    expect(screen.getAllByText('Paused').length).toBeGreaterThan(0)
    await app.person.click(screen.getByRole('button', { name: 'Resume' }))
    await app.person.click(await screen.findByRole('button', { name: 'Stop' }))
    await screen.findByText('Select a task below to start timing')
    await waitFor(() => expect(screen.getAllByText('1m').length).toBeGreaterThan(0))
  })
})
