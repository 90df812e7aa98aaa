/** Files of other time trackers, for tests. */

/** Toggl Track's detailed report in the layout with empty fields and 'End date'. */
export const TOGGL_CSV = [
  'User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,Amount (EUR)',
  'Ada,ada@example.com,Acme,Website,Design,"Header, first draft",No,2026-03-09,09:00:00,2026-03-09,10:30:00,01:30:00,"web, draft",',
  'Ada,ada@example.com,Acme,Website,,,No,2026-03-09,23:15:00,2026-03-10,00:45:10,01:30:10,,',
  'Ada,ada@example.com,,,,"Read ""Peopleware""",No,2026-03-10,08:00:00,2026-03-10,08:20:00,00:20:00,,',
  'Ada,ada@example.com,,,,,No,2026-03-10,12:00:00,2026-03-10,12:05:00,00:05:00,,',
  '',
].join('\r\n')

/** The layout with 'Stop date', '-' for nothing, rounded durations, and a timer that still runs. */
export const TOGGL_STOP_CSV = [
  '\uFEFF"Description","Duration","Member","Email","Project","Tags","Start date","Start time","Stop date","Stop time"',
  '"Plan","1:00:00","Ada","ada@example.com","-","-","2026-03-09","09:00:00","2026-03-09","09:52:30"',
  '"-","0:30:00","Ada","ada@example.com","Website","web","2026-03-09","10:00:00","2026-03-09","10:30:00"',
  '"Running","-","Ada","ada@example.com","Website","-","2026-03-09","11:00:00","",""',
].join('\n')

/** Clockify's detailed report of an account with a 12-hour clock and the month first. */
export const CLOCKIFY_CSV = [
  '"Project","Client","Description","Task","User","Group","Email","Tags","Billable","Start Date","Start Time","End Date","End Time","Duration (h)","Duration (decimal)","Billable Rate (USD)","Billable Amount (USD)"',
  '"Website","Acme","Header","Design","Ada","","ada@example.com","","No","03/09/2026","09:00:00 AM","03/09/2026","10:30:00 AM","01:30:00","1.50","0.00","0.00"',
  '"Website","Acme","","","Ada","","ada@example.com","deep work, Büro","No","03/15/2026","11:15:00 PM","03/16/2026","12:45:10 AM","01:30:10","1.50","0.00","0.00"',
  '"","","Reading","","Ada","","ada@example.com","reading","No","03/16/2026","12:00 PM","03/16/2026","12:20 PM","00:20:00","0.33","0.00","0.00"',
].join('\n')

/** Another account: the day first, 24 hours, no seconds, decimal commas, newer columns, a break. */
export const CLOCKIFY_24_CSV = [
  '"Project";"Client";"Description";"Activity";"User";"Group";"Email";"Tags";"Type";"Billable";"Invoiced";"Start Date";"Start Time";"End Date";"End Time";"Duration (h)";"Duration (decimal)";"Date of creation"',
  '"Website";"";"Header";"Design";"Ada";"";"ada@example.com";"";"Regular";"Yes";"No";"19.02.2026";"15:00";"19.02.2026";"18:00";"3:00";"3,00";"24.02.2026"',
  '"Website";"";"Lunch";"";"Ada";"";"ada@example.com";"";"Break";"No";"No";"19.02.2026";"18:00";"19.02.2026";"18:30";"0:30";"0,50";"24.02.2026"',
  '"Website";"";"Call";"";"Ada";"";"ada@example.com";"";"Regular";"Yes";"No";"20.02.2026";"09:00";"20.02.2026";"09:00";"0:00:40";"0,01";"24.02.2026"',
].join('\r\n')

/** Harvest's detailed time report: a day and hours. */
export const HARVEST_CSV = [
  'Date,Client,Project,Project Code,Task,Notes,Hours,Hours Rounded,Billable?,Invoiced?,Approved?,First Name,Last Name,Roles,Employee?,Billable Rate,Billable Amount,Cost Rate,Cost Amount,Currency,External Reference URL',
  '2026-03-09,Acme,Website,WEB,Design,"Header, first draft",1.5,1.5,Yes,No,No,Ada,Lovelace,,Yes,100.0,150.0,0.0,0.0,Euro - EUR,',
  '2026-03-09,Acme,Website,WEB,Development,,0.33,0.5,Yes,No,No,Ada,Lovelace,,Yes,100.0,33.0,0.0,0.0,Euro - EUR,',
  '2026-03-10,Acme,Office,,Admin,Mail,3,3,No,No,No,Ada,Lovelace,,Yes,0.0,0.0,0.0,0.0,Euro - EUR,',
].join('\n')

/** The same report of an account with decimal commas. */
export const HARVEST_COMMA_CSV = [
  'Date,Client,Project,Project Code,Task,Notes,Hours,Billable?,Invoiced?,Approved?,First Name,Last Name,Roles,Employee?,Billable Rate,Billable Amount,Cost Rate,Cost Amount,Currency,External Reference URL',
  '2026-03-09,,Website,,Design,"","16,25",No,No,No,Ada,Lovelace,,Yes,"100,0","1.625,0","0,0","0,0",Euro - EUR,',
  '2026-03-09,,Website,,Design,"","0,01",No,No,No,Ada,Lovelace,,Yes,"100,0","1,0","0,0","0,0",Euro - EUR,',
].join('\n')

/** A spreadsheet that its owner laid out. */
export const GERMAN_CSV = [
  'Datum;Von;Bis;Projekt;Beschreibung',
  '9.3.2026;09:00;10:30;Website;Entwurf',
  '13.3.2026;14.15;15.00;Büro;',
].join('\r\n')
