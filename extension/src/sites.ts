/**
 * The pages whose titles Stint understands: what of the address and the title is the name of the work, and under which
 * tag it is found again. A page of no row keeps its title.
 */

/** A kind of page. The groups of both patterns fill the braces of `name` and `tag`; an empty group leaves nothing. */
interface Site {
  /** The host, the path and the query of the address. */
  readonly address: RegExp
  readonly title: RegExp
  readonly name: string
  readonly tag: string
}

/** Jira, Linear and their kind: ACME-1234. */
const KEY = String.raw`(?<project>[A-Z][A-Z0-9_]*)-(?<number>\d+)`
const ANY = /^(?<title>.+)$/

export const SITES: readonly Site[] = [
  // 'Fix login · Issue #… · acme/site'
  {
    address: /^github\.com\/[^/]+\/(?<repo>[^/]+)\/issues\/(?<number>\d+)/,
    title: /^(?<title>.+?) · Issue #\d+ · /,
    name: '#{number} {title}',
    tag: '{repo}',
  },
  // 'Fix login by ann · Pull Request #42 · acme/site'
  {
    address: /^github\.com\/[^/]+\/(?<repo>[^/]+)\/pull\/(?<number>\d+)/,
    title: /^(?<title>.+?)(?: by [\w[\]-]+)? · Pull Request #\d+ · /,
    name: '#{number} {title}',
    tag: '{repo}',
  },
  // 'Which font? · acme/site · Discussion #7'
  {
    address: /^github\.com\/[^/]+\/(?<repo>[^/]+)\/discussions\/(?<number>\d+)/,
    title: /^(?<title>.+?) · [^·]+ · Discussion #\d+/,
    name: '#{number} {title}',
    tag: '{repo}',
  },
  // 'acme/site: The website of Acme'
  {
    address: /^github\.com\/[^/]+\/(?<repo>[^/?]+)\/?(?:\?|$)/,
    title: /^[^/]+\/(?<title>[^:]+)/,
    name: '{title}',
    tag: '{repo}',
  },
  // 'Fix login (#42) · Issues · Acme / site · GitLab', at any host
  {
    address: /\/(?<repo>[^/]+)\/-\/(?:issues|work_items)\/(?<number>\d+)/,
    title: /^(?<title>.+?) \(#\d+\) · /,
    name: '#{number} {title}',
    tag: '{repo}',
  },
  // 'Draft: Fix login (!7) · Merge requests · Acme / site · GitLab'
  {
    address: /\/(?<repo>[^/]+)\/-\/merge_requests\/(?<number>\d+)/,
    title: /^(?:Draft: )?(?<title>.+?) \(!\d+\) · /,
    name: '!{number} {title}',
    tag: '{repo}',
  },
  // 'acme / site / Pull Request #42: Fix login — Bitbucket'
  {
    address: /^bitbucket\.org\/[^/]+\/(?<repo>[^/]+)\/pull-requests\/(?<number>\d+)/,
    title: /Pull Request #\d+: (?<title>.+?) [—-] Bitbucket$/,
    name: '#{number} {title}',
    tag: '{repo}',
  },
  // '#42 - Fix login - acme/site - Codeberg.org', also of Gitea and Forgejo at another host
  {
    address: /^[^/]+\/[^/]+\/(?<repo>[^/]+)\/(?:issues|pulls)\/(?<number>\d+)/,
    title: /^#\d+ - (?<title>.+) - [^/ ]+\/[^/ ]+ - /,
    name: '#{number} {title}',
    tag: '{repo}',
  },
  // '[ACME-1234] Fix login - Jira', at any host
  {
    address: new RegExp(String.raw`\/browse\/${KEY}`),
    title: /^\[?[A-Z][A-Z0-9_]*-\d+\]?:? (?<title>.+?)(?: - [^-]*Jira[^-]*)?$/,
    name: '{project}-{number} {title}',
    tag: '{project}',
  },
  // A board of Jira with an issue that is open beside it: the title is the board's
  {
    address: new RegExp(String.raw`^[^/]+\.atlassian\.net\/jira\/.*[?&]selectedIssue=${KEY}`),
    title: ANY,
    name: '{project}-{number}',
    tag: '{project}',
  },
  // 'Offer - Acme - Confluence'
  {
    address: /^[^/]+\.atlassian\.net\/wiki\//,
    title: /^(?<title>.+?)(?: - (?<space>[^-]+))? - Confluence$/,
    name: '{title}',
    tag: '{space}',
  },
  // 'ENG-12 Fix login'
  {
    address: new RegExp(String.raw`^linear\.app\/[^/]+\/issue\/${KEY}`),
    title: /^(?:[A-Z][A-Z0-9]*-\d+ )?(?<title>.+?)(?: [|-] Linear)?$/,
    name: '{project}-{number} {title}',
    tag: '{project}',
  },
  // 'Fix login : ACME-12', 'ACME-12 Fix login'
  {
    address: new RegExp(String.raw`\/issue\/${KEY}`),
    title:
      /^(?:[A-Z][A-Z0-9_]*-\d+:? )?(?<title>.+?)(?: : [A-Z][A-Z0-9_]*-\d+)?(?: [|-] YouTrack)?$/,
    name: '{project}-{number} {title}',
    tag: '{project}',
  },
  // 'Bug #42: Fix login - Website - Redmine'
  {
    address: /\/issues\/(?<number>\d+)/,
    title: /^\S+ #\d+: (?<title>.+?) - (?<project>[^-]+) - [^-]+$/,
    name: '#{number} {title}',
    tag: '{project}',
  },
  // 'Bug 42: Fix login - Boards'
  {
    address: /^dev\.azure\.com\/[^/]+\/(?<project>[^/]+)\/_workitems\/edit\/(?<number>\d+)/,
    title: /^(?:[\p{L} ]+ )?\d+:? (?<title>.+?)(?: - Boards)?$/u,
    name: '#{number} {title}',
    tag: '{project}',
  },
  // 'Fix login on Site relaunch | Trello'
  {
    address: /^trello\.com\/c\//,
    title: /^(?<title>.+) on (?<board>.+?) \| Trello$/,
    name: '{title}',
    tag: '{board}',
  },
  {
    address: /^trello\.com\/b\//,
    title: /^(?<title>.+?) \| Trello$/,
    name: '{title}',
    tag: 'trello',
  },
  // 'Fix login - Site relaunch - Asana'
  {
    address: /^app\.asana\.com\//,
    title: /^(?<title>.+?)(?: - (?<board>[^-]+))? - Asana$/,
    name: '{title}',
    tag: '{board}',
  },
  // 'Book flights – Todoist'
  {
    address: /^app\.todoist\.com\//,
    title: /^(?<title>.+?) [-–|] Todoist$/,
    name: '{title}',
    tag: 'todoist',
  },
  // 'Site relaunch', 'Site relaunch | Notion'
  {
    address: /^(?:[\w-]+\.)?notion\.(?:so|site|com)\//,
    title: /^(?<title>.+?)(?: [|-] Notion)?$/,
    name: '{title}',
    tag: 'notion',
  },
  // 'Fix login | CU-86a1b', 'Fix login | #86a1b'
  {
    address: /^app\.clickup\.com\//,
    title: /^(?<title>.+?)(?: \| (?:CU-|#)?\w+)?$/,
    name: '{title}',
    tag: 'clickup',
  },
  // 'Fix login | Shortcut'
  {
    address: /^app\.shortcut\.com\/(?<team>[^/]+)\/story\/(?<number>\d+)/,
    title: /^(?<title>.+?)(?: \| Shortcut)?$/,
    name: '#{number} {title}',
    tag: '{team}',
  },
  // 'Offer for Acme - Google Docs', 'Angebot – Google Tabellen'
  {
    address: /^docs\.google\.com\//,
    title: /^(?<title>.+?) [-–] Google [^-–]+$/,
    name: '{title}',
    tag: 'google-docs',
  },
  // 'Offer - ann@example.com - Gmail'
  {
    address: /^mail\.google\.com\//,
    title: /^(?<title>.+) - [^\s@]+@\S+ - [^-]+$/,
    name: '{title}',
    tag: 'mail',
  },
  // 'Meet - Weekly'
  {
    address: /^meet\.google\.com\//,
    title: /^Meet [-–] (?<title>.+)$/,
    name: '{title}',
    tag: 'meeting',
  },
  // 'Site relaunch – Figma'
  {
    address: /^(?:www\.)?figma\.com\//,
    title: /^(?<title>.+?) [-–] Figma$/,
    name: '{title}',
    tag: 'figma',
  },
  // 'javascript - How do I sort? - Stack Overflow'
  {
    address: /^stackoverflow\.com\/questions\//,
    title: /^(?:[\w.+#-]+ - )?(?<title>.+?) - Stack Overflow$/,
    name: '{title}',
    tag: 'reading',
  },
]
