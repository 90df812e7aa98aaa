/** /rebuild: suggestions for free time, made of files that stay on the device. */
import { once } from 'node:events'
import { createServer } from 'node:http'

import { createUser } from './backend.ts'
import { answersNoted, expect, FAILED_REQUEST, personOn, test } from './fixtures.ts'
import { daysAgo, iso, setNow } from './history.ts'
import { expectClear } from './looks.ts'
import { startServer } from './server.ts'

const [DAY, DAY_BEFORE] = [daysAgo(1), daysAgo(2)]

/** In the zone of the browser. */
const CALENDAR = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Example//EN',
  'X-WR-CALNAME:Work',
  ...event('Standup', DAY, '0900', '0915'),
  ...event('Design review', DAY, '1000', '1045'),
  ...event('Zanzibar merger', DAY_BEFORE, '1000', '1100'),
  'END:VCALENDAR',
].join('\r\n')

function event(title: string, date: string, from: string, to: string): string[] {
  const day = date.replaceAll('-', '')
  return [
    'BEGIN:VEVENT',
    `UID:${title}`,
    `DTSTAMP:${day}T000000Z`,
    `DTSTART:${day}T${from}00`,
    `DTEND:${day}T${to}00`,
    `SUMMARY:${title}`,
    'END:VEVENT',
  ]
}

const GIT = ['12:00', '12:40'].map((time, index) => {
  const at = iso(`${DAY} ${time}`).replace('.000', '')
  return `git\t/home/ada/acme-site\tabc123${index}\t${at}\tSend the form ${index}`
})

test('a day is rebuilt by keyboard, each step can be undone, and nothing of the files leaves @looks', async ({
  page,
  user,
  history,
}) => {
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  const site = await history.task('Acme site')
  await history.task('Team')
  await history.entry(site, `${DAY} 10:00`, `${DAY} 10:15`)
  await page.goto('/rebuild')
  await expect(page.getByText('Files are read on this device and stay here.')).toBeVisible()
  await expectClear(page, 'rebuild-empty')

  await page.getByLabel('Choose a file').setInputFiles({
    name: 'work.ics',
    mimeType: 'text/calendar',
    buffer: Buffer.from(CALENDAR),
  })
  await expect(page.getByText('Calendar: 3 items read')).toBeVisible()
  const add = page.getByRole('button', { name: 'Add source' })
  await add.click()
  const paste = page.getByRole('button', { name: 'Paste text' })
  await paste.click()
  await expect(paste).toHaveAttribute('aria-expanded', 'true')
  await paste.click()
  await expect(paste).toHaveAttribute('aria-expanded', 'false')
  await paste.click()
  await page.getByLabel('Text of the file').fill(GIT.join('\n'))
  await expectClear(page, 'rebuild-add')
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await expect(add).toBeFocused()
  await expect(paste).toHaveCount(0)
  const day = page.getByRole('region', { name: 'Yesterday' })
  const rows = day.getByRole('listitem').filter({ has: page.getByRole('button') })
  // The rest of the review, and the work before each commit, which lies back to the review.
  await expect(rows).toHaveText([
    /09:00 – 09:15.*Which task\?.*Calendar: Standup, 09:00 – 09:15/,
    /10:15 – 10:45.*Which task\?.*Calendar: Design review, 10:00 – 10:45/,
    /10:45 – 12:40.*Acme site.*A guess.*git: 2 commits in acme-site, “Send the form 1”/,
  ])
  await expectClear(page, 'rebuild')

  await test.step('A task is asked for once, and becomes a rule', async () => {
    await page.keyboard.press('j')
    await expect(rows.nth(0).getByRole('button', { name: 'Pick a task' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Task for “Standup”')).toBeFocused()
    await page.keyboard.type('tea')
    await page.keyboard.press('Enter')
    await expect(rows.nth(0)).toContainText('Team')
    await expect(rows.nth(0)).toContainText('Certain')
    await expect(page.getByRole('region', { name: 'Rules' })).toContainText('“Standup” is Team')
  })

  await test.step('A rule is edited, and that is undone', async () => {
    const rules = page.getByRole('region', { name: 'Rules' })
    await rules.getByRole('button', { name: 'Edit the rule for “Standup”' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit rule' })
    await expect(dialog.getByLabel('Task', { exact: true })).toHaveValue('Team')
    await dialog.getByLabel('Task', { exact: true }).fill('never')
    await page.keyboard.press('Enter')
    await dialog.getByLabel('Text in its title or place').fill('stand')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(rules).toContainText('“stand” is never suggested')
    await expect(rows).toHaveCount(2)
    await page.keyboard.press('ControlOrMeta+z')
    await expect(rules).toContainText('“Standup” is Team')
    await expect(rows).toHaveCount(3)
    await rows.nth(0).getByRole('button', { name: 'Accept' }).focus()
  })

  await test.step('Enter accepts, J goes on, X dismisses, and Ctrl+Z takes each back', async () => {
    await expect(rows.nth(0).getByRole('button', { name: 'Accept' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(rows).toHaveCount(2)
    await expect(rows.nth(0).getByRole('button', { name: 'Pick a task' })).toBeFocused()
    await page.keyboard.press('x')
    await expect(rows).toHaveCount(1)
    await page.keyboard.press('ControlOrMeta+z')
    await expect(rows).toHaveCount(2)
    await page.keyboard.press('ControlOrMeta+z')
    await expect(rows).toHaveCount(3)
    await expect(rows.nth(0)).toContainText('Standup')
  })

  await test.step('E opens the editor with what is suggested', async () => {
    for (const key of ['k', 'k', 'k', 'j', 'j']) await page.keyboard.press(key)
    await expect(rows.nth(2).getByRole('button', { name: 'Accept' })).toBeFocused()
    await page.keyboard.press('e')
    const editor = page.getByRole('dialog')
    await expect(editor.getByLabel('Task', { exact: true })).toHaveValue('Acme site')
    await expect(editor.getByLabel('Note')).toHaveValue('Send the form 1')
    const isSaved = page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/documents'),
    )
    await editor.getByRole('button', { name: 'Save' }).click()
    await isSaved
    await expect(rows).toHaveCount(2)
    await expect
      .poll(async () => (await user.stored('time_entries')).map(({ note }) => note))
      .toContain('Send the form 1')
    await answersNoted(page)
  })

  const timeline = page.getByRole('region', { name: 'Day Timeline' })
  await test.step('The timeline of the day has events behind the sessions, and suggestions', async () => {
    await page.goto(`/reports?view=weekly&from=${DAY}&day=${DAY}`)
    const suggestions = page.getByRole('list', { name: 'Suggestions' })
    await expect(suggestions.getByRole('button')).toHaveText([/Standup/, /Design review/])
    await expect(page.getByTitle('Design review, 10:00 – 10:45', { exact: true })).toHaveCount(1)
    await expect(page.getByText(/^Events this week: \d+h? ?\d*m? planned, /)).toBeVisible()
    await expectClear(page, 'rebuild-day')
    await timeline.getByRole('button', { name: 'Hide events' }).click()
    await expect(page.getByTitle('Design review, 10:00 – 10:45', { exact: true })).toHaveCount(0)
    await timeline.getByRole('button', { name: 'Show events' }).click()
    await suggestions.getByRole('button').nth(1).click()
    const editor = page.getByRole('dialog', { name: 'Add time' })
    await expect(editor.getByLabel('Note')).toHaveValue('Design review')
    await page.keyboard.press('Escape')
  })

  await test.step('The days of the week say what was planned beside what was tracked', async () => {
    const week = page.getByRole('region', { name: 'Daily Breakdown' })
    // Two sessions, and two events of an hour together.
    const bar = week.getByRole('button', { name: /: 2 hours 10 minutes$/ })
    await expect(bar).toHaveAccessibleDescription(/; Planned: 1 hour$/)
    await expect(bar.locator('[data-planned]')).toBeVisible()
    await bar.focus()
    const tip = page.locator('[data-tip-bubble]')
    await expect(tip).toContainText('2h 10m')
    await expect(tip).toContainText('Planned: 1h')
    await bar.locator('[data-tip]').hover()
    await expect(tip).toContainText(/100%.*: 2h 10m.*Planned: 1h/)
    await page.mouse.move(0, 0)
    await week.getByRole('button', { name: 'More: Daily Breakdown' }).click()
    await week.getByRole('button', { name: 'Show as table: Daily Breakdown' }).click()
    await expect(week.getByRole('columnheader')).toHaveText(['Dates', 'Time', 'Planned', 'Share'])
    await expect(week.getByRole('row', { name: /^\w+, .* 2h 10m/ })).toContainText('2h 10m1h')
    await expectClear(page, 'rebuild-week-table')
    await week.getByRole('button', { name: 'Hide events' }).click()
    await expect(week.getByRole('columnheader')).toHaveText(['Dates', 'Time', 'Share'])
    await timeline.getByRole('button', { name: 'Show events' }).click()
    await expect(week.getByRole('columnheader')).toHaveText(['Dates', 'Time', 'Planned', 'Share'])
  })

  await test.step('Events are behind the sessions of a task by the clock', async () => {
    await page.goto(`/tasks/${site}?view=weekly&from=${DAY}`)
    const pattern = page.getByRole('region', { name: 'Daily Activity Pattern' })
    const hour = pattern.getByRole('gridcell', {
      name: /, 09:00: nothing; Standup, 09:00 – 09:15$/,
    })
    await expect(hour).toHaveCount(1)
    await hour.focus()
    await expect(page.locator('[data-tip-bubble]')).toHaveText('Standup, 09:00 – 09:15')
    await page.keyboard.press('Escape')
    await expectClear(page, 'rebuild-task')
    await pattern.getByRole('button', { name: 'Hide events' }).click()
    await expect(hour).toHaveCount(0)
    await pattern.getByRole('button', { name: 'Show events' }).click()
    await expect(hour).toHaveCount(1)
    await page.goto(`/reports?view=weekly&from=${DAY}&day=${DAY}`)
  })

  await test.step('A session and an explanation say what is known of them', async () => {
    const section = page.getByRole('region', { name: 'Day Timeline' })
    await section.getByRole('button', { name: /^Edit .*10:45 – 12:40/ }).click()
    await expect(page.getByRole('list', { name: 'Known on this device' })).toContainText(
      'git: 2 commits in acme-site',
    )
    await page.keyboard.press('Escape')
    await section.getByRole('button', { name: '2h 10m' }).click()
    await expect(page.getByRole('dialog')).toContainText('git: 2 commits in acme-site')
    await expectClear(page, 'rebuild-explained')
    await page.keyboard.press('Escape')
  })

  // What was accepted is the owner's; nothing else of the files was in any request.
  expect(sent.join('\n')).not.toMatch(/zanzibar|design review|form 0/i)
  await page.goto('/rebuild')
  await expect(rows).toHaveCount(2)
  const other = await page.context().newPage()
  await other.goto('/rebuild')
  await expect(other.getByRole('region', { name: 'Yesterday' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete all' }).click()
  await expect(other.getByText('Files are read on this device and stay here.')).toBeVisible()
  await other.close()
  await expect(page.getByText('Files are read on this device and stay here.')).toBeVisible()
})

test('a calendar is read at an address, and again when it has changed @long', async ({
  page,
  request,
  expectConsole,
}) => {
  let text = CALENDAR
  const asked: unknown[] = []
  const host = createServer(({ headers }, answer) => {
    asked.push(headers['if-none-match'])
    const etag = `"${text.length}"`
    if (headers['if-none-match'] === etag) answer.writeHead(304).end()
    else answer.writeHead(200, { etag }).end(text)
  }).listen(0, '127.0.0.1')
  await once(host, 'listening')
  const address = host.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/work.ics`
  const server = await startServer({ WEBHOOKS_ALLOW_PRIVATE: 'on', RATE_LIMITS: 'off' })
  const user = await createUser(request, server.url)
  await personOn(page, server, user).open(`${server.url}/rebuild`)

  await page.getByRole('button', { name: 'From an address' }).click()
  const field = page.getByLabel('Address of the calendar')
  expectConsole(FAILED_REQUEST)
  await field.fill('ftp://127.0.0.1/')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Write an https address on the internet')
  await expectClear(page, 'rebuild-address')
  await field.fill(url)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Calendar: 3 items read')).toBeVisible()
  await expect(field).toHaveCount(0)

  const again = page.getByRole('button', { name: 'Read Work again' })
  await again.click()
  await expect(page.getByText('Nothing has changed in Work.')).toBeVisible()
  text = CALENDAR.replace(
    'END:VCALENDAR',
    `${event('Lunch', DAY, '1200', '1230').join('\r\n')}\r\nEND:VCALENDAR`,
  )
  await again.click()
  await expect(page.getByText('Calendar: 4 items read')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Yesterday' })).toContainText('12:00 – 12:30')
  expect(asked).toEqual([undefined, `"${CALENDAR.length}"`, `"${CALENDAR.length}"`])
  await expectClear(page, 'rebuild-addresses')
  host.close()
  await server.remove()
})

test('ActivityWatch on the computer is read where the operator allows it, and again by a press @long', async ({
  page,
  request,
  expectConsole,
}) => {
  const server = await startServer({ READ_ACTIVITYWATCH: 'on' })
  const user = await createUser(request, server.url)
  await personOn(page, server, user).open(`${server.url}/rebuild`)
  const read = page.getByRole('button', { name: 'ActivityWatch on this computer' })
  expectConsole(FAILED_REQUEST)
  await read.click()
  await expect(page.getByRole('alert')).toContainText(`add ${server.url} to “cors_origins”`)
  await expectClear(page, 'rebuild-activity-watch')

  const looks = [[`${DAY} 09:00`, 'Homepage']]
  const watch = createServer(({ url, headers }, answer) => {
    answer.setHeader('access-control-allow-origin', headers.origin ?? '')
    answer.setHeader('content-type', 'application/json')
    const events = looks.map(([at = '', title]) => ({
      timestamp: iso(at),
      duration: 1800,
      data: { app: 'Figma', title },
    }))
    const bucket = { id: 'window', type: 'currentwindow', hostname: 'desk' }
    const isList = url === '/api/0/buckets/'
    answer.end(JSON.stringify(isList ? { window: bucket, vim: { type: 'vim' } } : events))
  }).listen(5600, 'localhost')
  await once(watch, 'listening')
  await read.click()
  const day = page.getByRole('region', { name: 'Yesterday' })
  await expect(day).toContainText('09:00 – 09:30')
  await expect(day).toContainText('Figma, Homepage')
  await expect(page.getByRole('alert')).toHaveCount(0)
  looks.push([`${DAY} 13:00`, 'Prices'])
  await page.getByRole('button', { name: 'Read desk again' }).click()
  await expect(day).toContainText('13:00 – 13:30')
  await page.goto(`${server.url}/rebuild`)
  await expect(day).toContainText('13:00 – 13:30')
  await page.getByRole('button', { name: 'Delete desk' }).click()
  await expect(day).toHaveCount(0)
  watch.close()
  await server.remove()
})

test('an event that begins while a timer runs offers to switch, if asked to @long', async ({
  page,
  user,
}) => {
  await user.openWithTasks(['Write', 'Team'])
  await page.getByRole('button', { name: 'Start Write' }).click()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await page.goto('/rebuild')
  const begins = utc(Temporal.Now.instant().add({ seconds: 6 }))
  const ends = utc(Temporal.Now.instant().add({ hours: 1 }))
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'now.ics',
    mimeType: 'text/calendar',
    buffer: Buffer.from(
      [
        'BEGIN:VCALENDAR',
        'BEGIN:VEVENT',
        'UID:now',
        `DTSTART:${begins}`,
        `DTEND:${ends}`,
        'SUMMARY:Design review',
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\r\n'),
    ),
  })
  const tells = page.getByRole('switch', { name: 'Tell me when an event begins' })
  await tells.press('Space')
  await expect(tells).toBeChecked()
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
  const nudge = page.getByRole('region', { name: 'Design review began.' })
  await expect(nudge).toBeVisible()
  await expectClear(page, 'rebuild-event')
  await nudge.getByRole('button', { name: 'Dismiss' }).click()
  await expect(nudge).toHaveCount(0)
})

test('a day of six suggestions takes seven presses, and one undo @long', async ({
  page,
  history,
}) => {
  await history.task('Team')
  await history.task('Write')
  await page.goto('/rebuild')
  const hours = ['08', '09', '10', '11', '13', '14']
  const events = hours.flatMap((hour) => event(`Standup ${hour}`, DAY, `${hour}00`, `${hour}30`))
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'work.ics',
    mimeType: 'text/calendar',
    // One title, six events.
    buffer: Buffer.from(
      ['BEGIN:VCALENDAR', ...events, 'END:VCALENDAR']
        .join('\r\n')
        .replaceAll(/SUMMARY:Standup \d+/g, 'SUMMARY:Standup'),
    ),
  })
  const day = page.getByRole('region', { name: 'Yesterday' })
  const rows = day.getByRole('listitem').filter({ has: page.getByRole('button') })
  await expect(rows).toHaveCount(6)
  for (const key of ['j', 'Enter', 't', 'e', 'a', 'Enter']) await page.keyboard.press(key)
  await expect(day.getByRole('button', { name: 'Accept 6 certain ones' })).toBeVisible()
  await page.keyboard.press('Shift+Enter')
  await expect(day).toHaveCount(0)
  await expect(page.getByText('6 sessions added')).toBeVisible()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(rows).toHaveCount(6)
})

test('repositories in a folder are read, and read again @long', async ({ page, user }) => {
  // Folders of the private file system stand in for those of the disk, which only a person can choose.
  await page.addInitScript(() => {
    Object.assign(globalThis, {
      showDirectoryPicker: async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('Code', { create: true }),
    })
  })
  const commit = async (subject: string) => {
    const at = Math.floor(Date.now() / 1000) - 86_400
    const line = `${'0'.repeat(40)} ${'1'.repeat(40)} Ada <ada@example.org> ${at} +0000\tcommit: ${subject}\n`
    await page.evaluate(async (line) => {
      let folder = await navigator.storage.getDirectory()
      for (const name of ['Code', 'acme-site', '.git', 'logs'])
        folder = await folder.getDirectoryHandle(name, { create: true })
      const file = await folder.getFileHandle('HEAD', { create: true })
      const writing = await file.createWritable({ keepExistingData: true })
      await writing.seek((await file.getFile()).size)
      await writing.write(line)
      await writing.close()
    }, line)
  }
  await user.open('/rebuild')
  await page.getByRole('button', { name: 'Folder of repositories' }).click()
  await expect(page.getByRole('alert')).toHaveText('There is no repository in Code.')
  await commit('First')
  await page.getByRole('button', { name: 'Folder of repositories' }).click()
  const sources = page.getByRole('region', { name: 'Sources' })
  await expect(sources.getByText('git · 1 item')).toBeVisible()
  await commit('Second')
  await page.reload()
  await page.getByRole('button', { name: 'Read acme-site again' }).click()
  await expect(sources.getByText('git · 2 items')).toBeVisible()
  await expectClear(page, 'rebuild-repositories')
})

test('when this device is in use is noted once that is switched on, and suggested where nothing else is @long', async ({
  page,
  user,
}) => {
  await setNow(page)
  await user.openWithTasks(['Write'])
  await page.goto('/rebuild')
  const notes = page.getByRole('switch', { name: 'Note when this device is in use' })
  await expect(notes).not.toBeChecked()
  await expectClear(page, 'rebuild-device-off')
  await notes.press('Space')
  await expect(notes).toBeChecked()
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('button', { name: 'Start Write' })).toBeVisible()
  // Somebody is there, and the page looks every half minute.
  for (const x of [100, 200, 300, 400]) {
    await page.mouse.move(x, 300)
    await page.clock.fastForward('04:00')
  }
  await page.goto('/rebuild')
  await expect(page.getByText('1 stretch of time of the last 90 days.')).toBeVisible()
  const day = page.getByRole('region', { name: 'Today' })
  const row = day.getByRole('listitem').filter({ has: page.getByRole('button') })
  await expect(row).toHaveText(/Which task\?.*A guess.*This device: in use \d\d:\d\d – \d\d:\d\d/)
  await expectClear(page, 'rebuild-device')

  for (const key of ['j', 'Enter', 'w', 'r', 'Enter']) await page.keyboard.press(key)
  await expect(page.getByText('Session added')).toBeVisible()
  // Under whatever name the day has.
  await expect(page.getByText('This device: in use')).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Rules' })).toHaveCount(0)

  await notes.press('Space')
  await expect(page.getByText('While Stint is open here')).toBeVisible()
  await page.reload()
  await expect(notes).not.toBeChecked()
  expect(await page.evaluate(() => localStorage.getItem('stint-presence-noted'))).toBeNull()
})

test('who signs out leaves no traces on the device @long', async ({ page, user }) => {
  await user.open('/rebuild')
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'work.ics',
    mimeType: 'text/calendar',
    buffer: Buffer.from(CALENDAR),
  })
  await expect(page.getByRole('region', { name: 'Sources' })).toBeVisible()
  const kept = async () =>
    (await page.evaluate(() => indexedDB.databases()))
      .map(({ name }) => name)
      .filter((name) => name?.includes(':traces'))
  expect(await kept()).toHaveLength(1)
  await page.getByRole('navigation').getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(kept).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('stint-traces'))).toBeNull()
})

test('a file that nothing knows is refused with a sentence @long', async ({ page, user }) => {
  await user.open('/rebuild')
  await page.getByLabel('Choose a file').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('call Ann'),
  })
  await expect(page.getByRole('alert')).toHaveText('notes.txt is none of the known kinds of files.')
  await page.getByRole('button', { name: 'Paste text' }).click()
  await page
    .getByLabel('Text of the file')
    .fill('git\t/home/ada/site\tabc123\t2001-01-01T00:00:00Z\tOld')
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('has nothing of the last year.')
  await expectClear(page, 'rebuild-refused')
  await page.getByLabel('Text of the file').fill(GIT.join('\n'))
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Sources' })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
})

/** Returns an instant as calendars write it: '20261130T090000Z'. */
function utc(instant: Temporal.Instant): string {
  return instant.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')
}
