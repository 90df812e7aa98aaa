import { startChoices } from '@stint/core/record/start-line.ts'
import { describe, expect, test } from 'vitest'

import { lineOf, nameOf, suggestionFor } from '#page.ts'
import { SITES } from '#sites.ts'

/** What GitHub calls it; written out with its number it would look like a reference of ours. */
const ISSUE = 'Issue'

/** Address, title, and the line that they suggest. */
const KNOWN: readonly (readonly [url: string, title: string, line: string])[] = [
  [
    'https://github.com/acme/site/issues/42',
    `Fix login · ${ISSUE} #42 · acme/site`,
    '#42 Fix login #site',
  ],
  [
    'https://github.com/acme/site/pull/42/files',
    'Fix login by ann-b · Pull Request #42 · acme/site',
    '#42 Fix login #site',
  ],
  [
    'https://github.com/acme/site/pull/43',
    'Bump x by dependabot[bot] · Pull Request #43 · acme/site',
    '#43 Bump x #site',
  ],
  [
    'https://github.com/acme/site/issues/44',
    `(2) Sort · by name · ${ISSUE} #44 · acme/site`,
    '#44 Sort · by name #site',
  ],
  [
    'https://github.com/acme/site/discussions/7',
    'Which font? · acme/site · Discussion #7 · GitHub',
    '#7 Which font? #site',
  ],
  ['https://github.com/acme/site', 'acme/site: The website of Acme', 'site #site'],
  [
    'https://gitlab.com/acme/web/site/-/issues/42',
    'Fix login (#42) · Issues · Acme / Web / site · GitLab',
    '#42 Fix login #site',
  ],
  [
    'https://gitlab.com/acme/site/-/work_items/43',
    'Write tests (#43) · Issue · acme / site · GitLab',
    '#43 Write tests #site',
  ],
  [
    'https://git.example.org/acme/site/-/merge_requests/7/diffs',
    'Draft: Fix login (!7) · Merge requests · Acme / site · GitLab',
    '!7 Fix login #site',
  ],
  [
    'https://bitbucket.org/acme/site/pull-requests/42/overview',
    'acme / site / Pull Request #42: Fix login — Bitbucket',
    '#42 Fix login #site',
  ],
  [
    'https://codeberg.org/acme/site/issues/42',
    '#42 - Fix login - now - acme/site - Codeberg.org',
    '#42 Fix login - now #site',
  ],
  [
    'https://acme.atlassian.net/browse/ACME-1234',
    '[ACME-1234] Fix login - Jira',
    'ACME-1234 Fix login #acme',
  ],
  [
    'https://jira.example.org/browse/OPS_2-9?focusedId=1',
    '[OPS_2-9] Renew - the certificate - Acme Jira',
    'OPS_2-9 Renew - the certificate #ops_2',
  ],
  [
    'https://acme.atlassian.net/jira/software/projects/ACME/boards/1?selectedIssue=ACME-12',
    'ACME board - Agile board - Jira',
    'ACME-12 #acme',
  ],
  [
    'https://acme.atlassian.net/wiki/spaces/S/pages/1/Offer',
    'Offer - Sales - Confluence',
    'Offer #sales',
  ],
  ['https://linear.app/acme/issue/ENG-12/fix-login', 'ENG-12 Fix login', 'ENG-12 Fix login #eng'],
  ['https://acme.youtrack.cloud/issue/WEB-3/fix', 'Fix login : WEB-3', 'WEB-3 Fix login #web'],
  [
    'https://redmine.example.org/issues/42',
    'Bug #42: Fix login - Website - Redmine',
    '#42 Fix login #website',
  ],
  [
    'https://dev.azure.com/acme/Site/_workitems/edit/42',
    'User Story 42: Fix login - Boards',
    '#42 Fix login #site',
  ],
  [
    'https://trello.com/c/a1b2/3-fix-login',
    'Work on login on Site relaunch | Trello',
    'Work on login #site-relaunch',
  ],
  ['https://trello.com/b/a1b2/site', 'Site relaunch | Trello', 'Site relaunch #trello'],
  [
    'https://app.asana.com/0/1/2/f',
    '● Fix login - Site relaunch - Asana',
    'Fix login #site-relaunch',
  ],
  ['https://app.asana.com/0/1/2', 'Fix login - Asana', 'Fix login'],
  ['https://app.todoist.com/app/task/book-1', 'Book flights – Todoist', 'Book flights #todoist'],
  ['https://www.notion.so/Site-1a2b', 'Site relaunch', 'Site relaunch #notion'],
  ['https://acme.notion.site/Site-1a2b', 'Site relaunch | Notion', 'Site relaunch #notion'],
  ['https://app.clickup.com/t/86a1b', 'Fix login | CU-86a1b', 'Fix login #clickup'],
  ['https://app.shortcut.com/acme/story/42/fix', 'Fix login | Shortcut', '#42 Fix login #acme'],
  [
    'https://docs.google.com/document/d/1/edit',
    'Offer for Acme - Google Docs',
    'Offer for Acme #google-docs',
  ],
  [
    'https://docs.google.com/spreadsheets/d/1/edit',
    'Stunden – Google Tabellen',
    'Stunden #google-docs',
  ],
  [
    'https://mail.google.com/mail/u/0/#inbox/1',
    'Re: Offer - v2 - ann@example.com - Gmail',
    'Re: Offer - v2 #mail',
  ],
  ['https://meet.google.com/abc-defg-hij', 'Meet - Weekly', 'Weekly #meeting'],
  ['https://www.figma.com/design/1/Site', 'Site relaunch – Figma', 'Site relaunch #figma'],
  [
    'https://stackoverflow.com/questions/1/how',
    'c++ - How do I sort? - Stack Overflow',
    'How do I sort? #reading',
  ],
]

/** Pages of no row. */
const OTHERS: readonly (readonly [url: string, title: string, line: string | null])[] = [
  ['https://www.acme.com/hours', 'Opening hours | Acme', 'Opening hours'],
  ['https://en.wikipedia.org/wiki/Hour', 'Hour - Wikipedia', 'Hour'],
  ['https://example.org/a', 'Plan - Part 2', 'Plan - Part 2'],
  ['http://localhost:3000/', '(12) Inbox', 'Inbox'],
  ['https://example.org/', '  Two\n\tlines\u0007 ', 'Two lines'],
  ['https://example.org/', 'Ask @ann about #acme and #12', 'Ask ann about acme and #12'],
  ['https://example.org/', '', null],
  ['https://github.com/acme', 'acme (Acme Corp)', 'acme (Acme Corp)'],
  ['chrome://settings/', 'Settings', null],
  ['about:blank', 'Blank', null],
  ['no address', 'Title', null],
]

const suggested = (url: string, title: string) => {
  const found = suggestionFor({ url, title })
  return found && lineOf(found)
}

test.each(KNOWN)('%s is recognised: %s', (url, title, line) => {
  expect(suggested(url, title)).toBe(line)
})

test('Every row of the table has an example', () => {
  const unused = SITES.filter(
    ({ address, title }) =>
      !KNOWN.some(
        ([url, text]) =>
          address.test(url.replace(/^https:\/\//, '')) &&
          title.test(text.replace(/^[(●].*? /u, '')),
      ),
  )
  expect(unused).toEqual([])
})

test.each(OTHERS)('%s with the title "%s" suggests its title, or nothing', (url, title, line) => {
  expect(suggested(url, title)).toBe(line)
})

test('The app reads the tag of a suggestion as a tag, and the rest as the name', () => {
  const context = { timeZone: 'UTC', now: Date.UTC(2026, 2, 3, 10) }
  for (const [url, title] of KNOWN) {
    const found = suggestionFor({ url, title })
    const [first] = startChoices(found ? lineOf(found) : '', [], context).choices
    expect(first).toMatchObject({ name: found?.name, note: found?.tag ? `#${found.tag}` : null })
  }
})

describe('the name of a selection', () => {
  test.each([
    ['a paragraph', 'Call Ann\n  about the offer', 'Call Ann about the offer'],
    ['a text of tags', '#urgent @acme', 'urgent acme'],
    ['blanks', ' \n\t ', ''],
  ])('of %s', (_what, selection, name) => {
    expect(nameOf(selection)).toBe(name)
  })

  test('is as long as the name of a task may be, and cuts no character in two', () => {
    expect(nameOf('x'.repeat(5000))).toHaveLength(255)
    expect(nameOf('🎈'.repeat(500)).isWellFormed()).toBe(true)
  })
})
