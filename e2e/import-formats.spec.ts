/** How the plan of a file of each format looks, in the language with the longest words. */
import { testEntry, testTask } from '../core/src/test/entries.ts'
import { FORMAT_FILES } from '../core/src/test/format-files.ts'
import { csvFormOf } from '@stint/core/transfer/csv-form.ts'
import { exportCsv, exportPeriodCsv } from '@stint/core/transfer/entry-export.ts'
import { exportJson } from '@stint/core/transfer/stint-json.ts'
import { dayRuleOf } from '@stint/core/time/day-rule.ts'
import { expect, test } from './fixtures.ts'
import { collisions, sidewaysOverflow } from './looks.ts'

const HOUR = 3_600_000
const START = Date.parse('2026-03-09T08:00Z')
const RECORD = {
  entries: [
    testEntry({ start: START, end: START + HOUR }),
    testEntry({ start: START - 10 * HOUR, end: START - 8 * HOUR }),
  ],
  tasks: [testTask('Write')],
}
const DAYS = dayRuleOf('Europe/Berlin')
const OWN = [
  { format: 'stint-csv', text: exportCsv(RECORD, DAYS, csvFormOf('de')) },
  {
    format: 'stint-csv cut',
    text: exportPeriodCsv(
      { ...RECORD, range: { start: START - 9 * HOUR, end: START + HOUR } },
      DAYS,
    ),
  },
  { format: 'stint-json', text: exportJson(RECORD, START) },
]

/** Files with questions, guesses and rows that are left out. */
const TABLES = [
  {
    format: 'toggl',
    text: [
      'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags',
      'Ada,ada@example.com,Acme,Website,,"Header, first draft",No,2026-03-09,09:00:00,2026-03-09,10:30:00,01:30:30,web',
      'Ada,ada@example.com,Acme,Website,,"Header, first draft",No,2026-03-09,09:00:00,2026-03-09,10:30:00,01:30:30,web',
      'Ada,ada@example.com,Acme,Website,,,No,2026-03-09,23:15:00,2026-03-10,00:45:00,02:30:00,',
      'Ada,ada@example.com,,Ferien,,,No,2026-04-10,08:00:00,2026-04-10,08:20:00,00:20:00,',
    ].join('\n'),
  },
  {
    format: 'clockify',
    text: [
      '"Project","Client","Description","Task","User","Email","Tags","Type","Start Date","Start Time","End Date","End Time","Duration (h)","Duration (decimal)"',
      '"Website","Acme","Header","","Ada","","","Regular","03/04/2026","09:00:00 AM","03/04/2026","10:30:00 AM","01:30:00","1.50"',
      '"Website","Acme","Lunch","","Ada","","","Break","03/04/2026","10:30:00 AM","03/04/2026","11:00:00 AM","00:30:00","0.50"',
    ].join('\n'),
  },
  {
    format: 'harvest',
    text: [
      'Date,Client,Project,Project Code,Task,Notes,Hours,Billable?,First Name,Last Name',
      '2026-03-09,Acme,Website,WEB,Design,"Header","1,5",Yes,Ada,Lovelace',
      '2026-03-09,Acme,Office,,Admin,Mail,"23,25",No,Ada,Lovelace',
      '2026-03-10,Acme,Office,,Admin,Mail,"0,25",No,Bo,Berg',
    ].join('\n'),
  },
  {
    format: 'columns',
    text: [
      'Datum;Von;Bis;Pause;Dauer;Projekt',
      '9.3.2026;09:00;17:00;0:45;7:15;Donaudampfschifffahrtsgesellschaftskapitän',
      '29.3.2026;02:15;03:30;;1:15;Website',
      '14.3.2026;09',
    ].join('\n'),
  },
]

test.use({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })

test('the plan of a file of every format fits phones and desktops, in German @long', async ({
  page,
  user,
}) => {
  test.setTimeout(600_000)
  await user.open('/data')
  const review = page.locator('section[aria-labelledby=import]')
  const look = process.env['LOOK']
  for (const [index, { format, text }] of [...FORMAT_FILES, ...OWN, ...TABLES].entries()) {
    await test.step(format, async () => {
      const buffer = Buffer.from(text)
      await review
        .locator('input[type=file]')
        .setInputFiles({ name: `${format}.txt`, mimeType: 'text/plain', buffer })
      await expect(review.locator('dl')).toBeVisible()
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 })
        expect(await sidewaysOverflow(page)).toBeLessThanOrEqual(0)
        expect(await collisions(page)).toEqual([])
        if (look) await review.screenshot({ path: `${look}/${index}-${format}-${width}.png` })
      }
      await review.locator('header button').click()
    })
  }
})
