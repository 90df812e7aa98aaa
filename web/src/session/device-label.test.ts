import { expect, test } from 'vitest'

import { deviceLabel, shownDevice } from './device-label.ts'

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0', 'Edge on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64) Thing/1.0', 'A browser on Linux'],
  ['Thing/1.0', 'A browser'],
])('The device of the user agent %j is called %j, and shown so in English', (userAgent, label) => {
  expect(deviceLabel(userAgent)).toBe(label)
  expect(shownDevice(label)).toBe(label)
})
