/** A made-up file of every format that is recognised by name, with the sessions that it has in Berlin. */

export interface FormatFile {
  readonly format: string
  readonly text: string
  /** As `taken` writes them. */
  readonly sessions: readonly string[]
  readonly seconds: number
  /** As `problems` writes them. Unset: none. */
  readonly problems?: readonly string[]
}

export const FORMAT_FILES: readonly FormatFile[] = [
  {
    format: 'solidtime',
    text: [
      'Description,Task,Project,Client,User,Start,End,Duration,"Duration (decimal)",Billable,Tags',
      'Header,Build,Website,Northwind,Pat,2026-03-09 09:00:00,2026-03-09 10:30:05,01:30:05,1.5014,Yes,web',
    ].join('\n'),
    sessions: [
      'Website / Build: 2026-03-09 09:00:00 – 2026-03-09 10:30:05 (Header #web #Northwind)',
    ],
    seconds: 5405,
  },
  {
    format: 'kimai',
    text: [
      'Datum;Beginn;Ende;Dauer;Pause;Währung;Preis;Benutzer;Kunde;Projekt;Tätigkeit;Beschreibung;Abrechenbar;Schlagworte',
      '09.03.2026;22:00;06:15;7:45;0:30;EUR;0;pat;Nordwind;Website;Schicht;Nacht;1;nacht, dienst',
    ].join('\n'),
    sessions: [
      'Website / Schicht: 2026-03-09 22:00:00 – 2026-03-10 06:15:00 (Nacht #nacht #dienst #Nordwind)',
    ],
    seconds: 27_900,
  },
  {
    format: 'timewarrior',
    text: JSON.stringify([
      {
        id: 3,
        start: '20260309T083000Z',
        end: '20260309T093007Z',
        tags: ['Northwind', 'on site, late'],
        annotation: 'Header',
      },
      { id: 2, start: '20260310T080000Z', end: '20260310T081500Z' },
      { id: 1, start: '20260310T083000Z', tags: ['Northwind'] },
    ]),
    sessions: [
      'Northwind: 2026-03-09 09:30:00 – 2026-03-09 10:30:07 (Header #on-site-late)',
      'Imported: 2026-03-10 09:00:00 – 2026-03-10 09:15:00',
    ],
    seconds: 3607 + 900,
    problems: ['3: Has no end: it may still be running.'],
  },
  {
    format: 'watson',
    text: [
      'id,start,stop,project,tags',
      'a1b2,2026-03-09 09:00:00,2026-03-09 10:30:05,Website,"web, css"',
    ].join('\n'),
    sessions: ['Website: 2026-03-09 09:00:00 – 2026-03-09 10:30:05 (#web #css)'],
    seconds: 5405,
  },
  {
    format: 'watson',
    text: JSON.stringify([
      {
        id: 'a1',
        project: 'Website',
        start: '2026-03-09T09:00:00+01:00',
        stop: '2026-03-09T10:00:00+01:00',
        tags: ['web'],
      },
    ]),
    sessions: ['Website: 2026-03-09 09:00:00 – 2026-03-09 10:00:00 (#web)'],
    seconds: 3600,
  },
  {
    format: 'watson-frames',
    text: '[[1773043200, 1773046805, "Website", "a1b2c3", ["web"], 1773046900]]',
    sessions: ['Website: 2026-03-09 09:00:00 – 2026-03-09 10:00:05 (#web)'],
    seconds: 3605,
  },
  {
    format: 'hamster',
    text: [
      'activity\tstart time\tend time\tduration minutes\tcategory\tdescription\ttags',
      'Writing\t2026-03-09 09:00:00\t2026-03-09 10:30:00\t90.0\tWork\tDraft\tbook, deep',
    ].join('\n'),
    sessions: ['Work / Writing: 2026-03-09 09:00:00 – 2026-03-09 10:30:00 (Draft #book #deep)'],
    seconds: 5400,
  },
  {
    format: 'timescribe',
    text: [
      'Type,Description,Project,"Import source","Start date","Start time","End date","End time",Duration,"Hourly rate","Billable amount",Currency,Paid',
      'work,Header,Website,,09/03/2026,09:00:00,09/03/2026,12:00:07,03:00:07,,,,',
      'break,,,,09/03/2026,12:00:07,09/03/2026,12:30:00,00:29:53,,,,',
    ].join('\n'),
    sessions: ['Website: 2026-03-09 09:00:00 – 2026-03-09 12:00:07 (Header)'],
    seconds: 10_807,
    problems: ['3: A break, not imported.'],
  },
  {
    format: 'simple-time-tracker',
    text: [
      'activity name,time started,time ended,comment,categories,record tags,duration,duration minutes',
      '"Piano",2026-03-12 12:43:33,2026-03-12 17:58:19,"scales","Music","home, daily",5:14:46,314',
    ].join('\n'),
    sessions: ['Music / Piano: 2026-03-12 12:43:33 – 2026-03-12 17:58:19 (scales #home #daily)'],
    seconds: 18_886,
  },
  {
    format: 'tempo',
    text: [
      'Issue Key,Issue summary,Hours,Work date,User Account ID,Full name,Work Description',
      'OPS-12,Renew certificates,1.5,2026-03-09 09:30,a1,Pat Poe,checked chain',
    ].join('\n'),
    sessions: [
      'OPS-12: 2026-03-09 09:30:00 – 2026-03-09 11:00:00 (Renew certificates – checked chain)',
    ],
    seconds: 5400,
  },
  {
    format: 'klog',
    text: [
      '2026-03-09 (8h!)',
      'Day at #northwind',
      '    9:00 - 12:00 Header #web',
      '    -15m coffee',
      '    1:00pm - 2:30pm',
      '    23:30 - 0:15> Deploy',
      '    1h5m Mail #office',
      '',
      '2026-03-10',
      '    8:00 - ?',
    ].join('\n'),
    sessions: [
      'web: 2026-03-09 09:00:00 – 2026-03-09 12:00:00 (Header #web)',
      'northwind: 2026-03-09 13:00:00 – 2026-03-09 14:30:00',
      'northwind: 2026-03-09 23:30:00 – 2026-03-10 00:15:00 (Deploy)',
      'office: 2026-03-09 14:30:00 – 2026-03-09 15:35:00 (Mail #office)',
    ],
    seconds: 2.75 * 3600 + 1.5 * 3600 + 0.75 * 3600 + 3900,
    problems: ['10: Has no end: it may still be running.'],
  },
  {
    format: 'org',
    text: [
      '* Book :writing:',
      '** TODO Draft :deep:',
      ':LOGBOOK:',
      'CLOCK: [2026-03-09 Mon 09:30]--[2026-03-09 Mon 11:00] =>  1:30',
      'CLOCK: [2026-03-10 Tue 09:30]',
      ':END:',
    ].join('\n'),
    sessions: ['Book: 2026-03-09 09:30:00 – 2026-03-09 11:00:00 (Draft #writing #deep)'],
    seconds: 5400,
    problems: ['5: Has no end: it may still be running.'],
  },
  {
    format: 'org-clock-csv',
    text: [
      'task,parents,category,start,end,effort,ishabit,tags',
      'Draft,Book,writing,2026-03-09 09:30,2026-03-09 11:00,2:00,,deep',
    ].join('\n'),
    sessions: ['writing / Book: 2026-03-09 09:30:00 – 2026-03-09 11:00:00 (Draft #deep)'],
    seconds: 5400,
  },
  {
    format: 'activity-watch',
    text: JSON.stringify({
      buckets: {
        'aw-watcher-window_desk': {
          type: 'currentwindow',
          events: [
            {
              timestamp: '2026-03-09T08:00:00.500000+00:00',
              duration: 90.25,
              data: { app: 'Editor', title: 'page.html' },
            },
            {
              timestamp: '2026-03-09T08:01:30.75Z',
              duration: 0.2,
              data: { app: 'Mail', title: '' },
            },
          ],
        },
        'aw-watcher-afk_desk': { type: 'afkstatus', events: [{ duration: 9 }] },
      },
    }),
    sessions: ['Editor: 2026-03-09 09:00:00 – 2026-03-09 09:01:30 (page.html)'],
    seconds: 90,
    problems: [
      '1: Says more about the time that other buckets have, not imported.',
      '2: Has no time: it starts and ends at once.',
    ],
  },
  {
    format: 'calendar',
    text: [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Example//Calendar//EN',
      'BEGIN:VEVENT',
      'UID:1@example.org',
      'DTSTART:20260309T080000Z',
      'DTEND:20260309T093005Z',
      'SUMMARY:Website',
      String.raw`DESCRIPTION:Header\, first draft`,
      'CATEGORIES:web,css',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:2@example.org',
      'DTSTART;TZID=America/New_York:20260310T090000',
      'DURATION:PT45M',
      'SUMMARY:Call',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:3@example.org',
      'DTSTART;TZID=Europe/Berlin:20260312T090000',
      'DTEND;TZID=Europe/Berlin:20260312T091500',
      'RRULE:FREQ=DAILY;COUNT=3',
      'EXDATE;TZID=Europe/Berlin:20260313T090000',
      'SUMMARY:Stand-up',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'UID:4@example.org',
      'DTSTART;VALUE=DATE:20260311',
      'SUMMARY:Fair',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n'),
    sessions: [
      'Website: 2026-03-09 09:00:00 – 2026-03-09 10:30:05 (Header, first draft #web #css)',
      'Call: 2026-03-10 14:00:00 – 2026-03-10 14:45:00',
      'Stand-up: 2026-03-12 09:00:00 – 2026-03-12 09:15:00',
      'Stand-up: 2026-03-14 09:00:00 – 2026-03-14 09:15:00',
    ],
    seconds: 5405 + 2700 + 1800,
    problems: ['4: A whole day without times, not imported.'],
  },
  {
    format: 'drytrix',
    text: [
      'ID,User,Project,Client,Task,Start Time,End Time,Duration (hours),Duration (formatted),Notes,Tags,Source,Billable,Created At,Updated At',
      '7,pat,Website,Northwind,N/A,2026-03-09T09:00:00,2026-03-09T10:30:05,1.5,01:30:05,Header,web,manual,Yes,2026-03-09T10:30:05,',
    ].join('\n'),
    sessions: ['Website: 2026-03-09 09:00:00 – 2026-03-09 10:30:05 (Header #web #Northwind)'],
    seconds: 5405,
  },
  {
    format: 'stint-command',
    text: [
      'Task,Start,End,Seconds,Note,Tags',
      'Website,2026-03-09T09:00:00+01:00,2026-03-09T10:30:05+01:00,5000,Header #web,web',
    ].join('\n'),
    sessions: ['Website: 2026-03-09 09:00:00 – 2026-03-09 10:30:05 (Header #web)'],
    seconds: 5000,
  },
  {
    format: 'stint-command',
    text: JSON.stringify([
      {
        id: 'a',
        task: { id: 't', name: 'Website' },
        start: '2026-03-09T09:00:00+01:00',
        end: '2026-03-09T10:00:00+01:00',
        seconds: 3600,
        note: null,
        tags: [],
      },
    ]),
    sessions: ['Website: 2026-03-09 09:00:00 – 2026-03-09 10:00:00'],
    seconds: 3600,
  },
]
