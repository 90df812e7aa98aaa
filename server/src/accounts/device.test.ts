import { expect, test } from 'vitest'
import { deviceOf } from './device.ts'

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.7339.80'

// The results of Matomo's device detector for the same agents.
test.each([
  [
    'Chrome on Windows',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`,
    ['Windows', '10', 'Chrome', '140.0', 'Blink', 'desktop'],
  ],
  [
    'Edge on Windows 8.1',
    `Mozilla/5.0 (Windows NT 6.3; Win64; x64) ${CHROME} Safari/537.36 Edg/140.0.3485.54`,
    ['Windows', '8.1', 'Microsoft Edge', '140.0', 'Blink', 'desktop'],
  ],
  [
    'Firefox on Windows 7',
    'Mozilla/5.0 (Windows NT 6.1; Win64; x64; rv:115.0) Gecko/20100101 Firefox/115.0',
    ['Windows', '7', 'Firefox', '115.0', 'Gecko', 'desktop'],
  ],
  [
    'Safari on a Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    ['Mac', '10.15', 'Safari', '18.6', 'WebKit', 'desktop'],
  ],
  [
    'Safari on an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    ['iOS', '17.5', 'Mobile Safari', '17.5', 'WebKit', 'smartphone'],
  ],
  [
    'Chrome on an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.7339.101 Mobile/15E148 Safari/604.1',
    ['iOS', '18.6', 'Chrome Mobile iOS', '140.0', 'WebKit', 'smartphone'],
  ],
  [
    'Safari on an iPad',
    'Mozilla/5.0 (iPad; CPU OS 16_7_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
    ['iPadOS', '16.7', 'Mobile Safari', '16.6', 'WebKit', 'tablet'],
  ],
  [
    'Chrome on Android',
    `Mozilla/5.0 (Linux; Android 8.1.0; Pixel 2) ${CHROME} Mobile Safari/537.36`,
    ['Android', '8.1', 'Chrome Mobile', '140.0', 'Blink', 'smartphone'],
  ],
  [
    'Firefox on Android',
    'Mozilla/5.0 (Android 15; Mobile; rv:142.0) Gecko/142.0 Firefox/142.0',
    ['Android', '15', 'Firefox Mobile', '142.0', 'Gecko', 'smartphone'],
  ],
  [
    'Chrome on a Chromebook',
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`,
    ['Chrome OS', '140.0', 'Chrome', '140.0', 'Blink', 'desktop'],
  ],
  [
    'Firefox on Linux',
    'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0',
    ['GNU/Linux', '', 'Firefox', '142.0', 'Gecko', 'desktop'],
  ],
  ['nothing it knows', 'curl/8.5.0', ['', '', '', '', '', '']],
])('a User-Agent is read as %s', (_, userAgent, told) => {
  const device = deviceOf(userAgent)
  const { osName, osVersion, clientName, clientVersion, clientEngine, deviceName } = device
  expect([osName, osVersion, clientName, clientVersion, clientEngine, deviceName]).toEqual(told)
})
