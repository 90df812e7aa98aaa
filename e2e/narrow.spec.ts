/** On narrow phones no text covers another text or a bar of colour, and nothing is too wide. */
import { expect, test } from './fixtures.ts'
import { daysAgo, noonZone } from './history.ts'
import { collisions, FONT_WIDTHS, setFont, sidewaysOverflow } from './looks.ts'

/** Of the settings: narrow screens show one at a time. */
const SECTIONS = [
  'appearance',
  'days',
  'focus',
  'reminders',
  'offline',
  'account',
  'devices',
  'keys',
  'diagnostics',
]
const LONG = 'Write the quarterly report for the board and for everybody else who asks'

for (const language of ['en', 'de'] as const) {
  test.describe(language, () => {
    // Shortly after midnight, the hour before now would be a block that is lower than its text.
    test.use({ locale: language, timezoneId: noonZone() })
    test(`no texts collide on any screen at 320 and 390 px in wide and narrow fonts, in ${language} @long`, async ({
      page,
      history,
      user,
    }) => {
      const write = await history.task(LONG)
      const plan = await history.task('Plan')
      await user.update('tasks', write, { goalHours: 6 })
      // Over a thousand hours make wide figures.
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => daysAgo(index + 1)).flatMap((day) => [
          history.entry(write, `${day} 00:10`, `${day} 22:45`, [], LONG),
          history.entry(plan, `${day} 22:45`, `${day} 23:50`),
        ]),
      )
      const now = Date.now()
      await history.entry(
        write,
        new Date(now - 3_600_000).toISOString(),
        new Date(now).toISOString(),
      )

      const texts =
        language === 'en'
          ? { start: `Start ${LONG}`, updating: 'Updating…', running: 'Running' }
          : { start: `${LONG} starten`, updating: 'Wird aktualisiert …', running: 'Läuft' }
      await page.setViewportSize({ width: 390, height: 2400 })
      await page.goto('/dashboard')
      await page.getByRole('button', { name: texts.start }).click()
      const panel = page.getByRole('region', { name: 'Timer' })
      await expect(panel.getByText(texts.running)).toBeVisible()
      for (const path of [
        '/dashboard',
        '/tasks',
        `/tasks/${write}`,
        '/reports',
        '/sessions',
        '/data',
        '/settings',
        ...SECTIONS.map((section) => `/settings#${section}`),
      ]) {
        for (const view of path.startsWith('/tasks/') || path === '/reports'
          ? ['weekly', 'monthly', 'yearly']
          : ['']) {
          await page.goto(view === '' ? path : `${path}?view=${view}`)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expect(page.getByRole('timer').first()).toBeVisible()
          await expect(page.getByTitle(texts.updating)).toHaveCount(0)
          for (const font of FONT_WIDTHS) {
            await setFont(page, font)
            for (const width of [320, 390]) {
              const where = `${path} ${view} at ${width} px in a ${font} font`
              await test.step(where, async () => {
                await page.setViewportSize({ width, height: 2400 })
                await expect.soft.poll(() => collisions(page), where).toEqual([])
                expect.soft(await sidewaysOverflow(page), where).toBeLessThanOrEqual(0)
                const folder = process.env['LOOK']
                if (!folder) return
                const name = `narrow-${language}-${path.slice(1).replaceAll(/\W/g, '-').slice(0, 20)}-${view}-${font}-${width}`
                await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
              })
            }
          }
        }
      }
    })
  })
}

test('the check finds a text over a text, a bar or a button, and no others @long', async ({
  page,
}) => {
  await page.setContent(`
    <p style="position: absolute; top: 0; margin: 0">one</p>
    <p style="position: absolute; top: 5px; margin: 0">two</p>
    <i style="position: absolute; top: 98px; width: 50px; height: 3px; background: red"></i>
    <p style="position: absolute; top: 100px; margin: 0">three</p>
    <i style="position: absolute; top: 92px; width: 50px; height: 3px; background: red"></i>
    <p style="position: fixed; top: 100px; margin: 0">four</p>
    <p style="position: absolute; top: 140px; height: 1px; overflow: hidden">five</p>
    <p style="position: absolute; top: 140px">six</p>
    <p style="position: absolute; top: 200px; margin: 0">seven</p>
    <button style="position: absolute; top: 200px; left: 20px; width: 200px">eight</button>
    <i style="position: absolute; top: 309px; width: 50px; height: 3px; background: red"></i>
    <p style="position: absolute; top: 300px; margin: 0; background: white">nine</p>
    <p style="position: absolute; top: 400px; margin: 0; background: white">ten</p>
    <i style="position: absolute; top: 409px; width: 50px; height: 3px; background: red; pointer-events: none"></i>
  `)
  expect(await collisions(page)).toEqual([
    'one | two',
    'bar | three',
    'seven | button',
    'ten | bar',
  ])
})
