/** Personal keys in the settings. What a key may do is tested with the server. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createUser } from './backend.ts'
import { expect, FAILED_REQUEST, personOn, test } from './fixtures.ts'
import { expectClear } from './looks.ts'
import { startServer } from './server.ts'

test('a key is created, shown once, used by a program, and revoked @long', async ({
  page,
  server,
  user,
  playwright,
}) => {
  await user.open('/settings#keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  const form = page.getByRole('dialog', { name: 'Create key' })
  await expect(form.getByRole('button', { name: 'Create key' })).toBeDisabled()
  await page.keyboard.type('Home Assistant')
  await form.getByRole('button', { name: 'Read and write' }).click()
  await expectClear(page, 'key-new')
  await form.getByLabel('Name').press('Enter')

  const shown = page.getByRole('dialog', { name: 'Your new key' })
  const secret = await shown.getByLabel('Key', { exact: true }).inputValue()
  expect(secret).toMatch(/^stint_[\w-]{43}$/)
  await expect(shown.getByRole('button', { name: 'Copy' })).toBeFocused()
  await expectClear(page, 'key-secret')
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(secret)).toHaveCount(0)
  const row = page.getByRole('list', { name: 'Keys' }).getByRole('listitem')
  await expect(row).toContainText('Home AssistantRead and write · Never used')

  // A program has the key, and no cookie.
  const program = await playwright.request.newContext({
    baseURL: server.url,
    extraHTTPHeaders: { Authorization: `Bearer ${secret}` },
  })
  const current = () => program.get('/v1/stint/keys/current')
  expect(await (await current()).json()).toMatchObject({ name: 'Home Assistant', access: 'write' })
  await page.reload()
  await expect(row).toContainText('Read and write · Last used: Today')
  await expectClear(page, 'keys')

  await row.getByRole('button', { name: 'Revoke Home Assistant' }).click()
  const question = page.getByRole('dialog', { name: 'Revoke “Home Assistant”?' })
  await expectClear(page, 'key-revoke', [390])
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expect(row).toHaveCount(0)
  await expect(question).toHaveCount(0)
  expect((await current()).status()).toBe(401)
  await program.dispose()
})

test.describe('calendar address', () => {
  // It must not take the address for a page of the app.
  test.use({ serviceWorkers: 'allow' })

  test('a calendar address is created, read by a calendar, replaced and revoked @long', async ({
    page,
    server,
    user,
    playwright,
  }) => {
    await user.open('/settings#keys')
    const create = page.getByRole('button', { name: 'Create address' })
    await create.click()
    const question = page.getByRole('dialog', { name: 'Create calendar address?' })
    await expectClear(page, 'feed-create', [390])
    await question.getByRole('button', { name: 'Create address' }).click()
    const shown = page.getByRole('dialog', { name: 'Your calendar address' })
    const address = await shown.getByLabel('Address').inputValue()
    expect(address).toMatch(new RegExp(`^${server.url}/feed/[\\w-]{43}\\.ics$`))
    await expectClear(page, 'feed-address')
    await shown.getByRole('button', { name: 'Done' }).click()
    await expect(page.getByText(address)).toHaveCount(0)
    await expectClear(page, 'feed')

    // A calendar has the address, and no cookie.
    const calendar = await playwright.request.newContext()
    const read = await calendar.get(address, { headers: { Accept: 'text/html' } })
    expect(read.headers()['content-type']).toBe('text/calendar; charset=utf-8')
    expect(await read.text()).toMatch(/^BEGIN:VCALENDAR\r\n[^]*END:VCALENDAR\r\n$/)

    // Neither the service worker nor the app takes the address for a page.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.reload()
    const download = page.waitForEvent('download')
    await page.evaluate((href) => location.assign(href), address)
    expect((await download).suggestedFilename()).toBe('stint.ics')

    await page.getByRole('button', { name: 'Replace address' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Replace address' }).click()
    const other = await shown.getByLabel('Address').inputValue()
    await shown.getByRole('button', { name: 'Done' }).click()
    expect((await calendar.get(address)).status()).toBe(404)
    expect((await calendar.get(other)).status()).toBe(200)

    await page.getByRole('button', { name: 'Revoke address' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke address' }).click()
    await expect(create).toBeFocused()
    expect((await calendar.get(other)).status()).toBe(404)
    await calendar.dispose()
  })
})

test('a webhook is set, tested, seen in its log and removed @long', async ({
  page,
  request,
  expectConsole,
}) => {
  const messages: string[] = []
  const receiver = createServer((message, answer) => {
    messages.push(String(message.headers['webhook-signature']))
    answer.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/lamp`
  const server = await startServer({ WEBHOOKS_ALLOW_PRIVATE: 'on' })
  const user = await createUser(request, server.url)
  await personOn(page, server, user).open(`${server.url}/settings#keys`)
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.keyboard.type('Lamp')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()

  const open = page.getByRole('button', { name: 'Webhook for Lamp' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Webhook for “Lamp”' })
  expectConsole(FAILED_REQUEST)
  await dialog.getByLabel('Address').fill('ftp://127.0.0.1/')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('https address on the public internet')
  await dialog.getByLabel('Address').fill(url)
  await expectClear(page, 'webhook-new')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const shown = page.getByRole('dialog', { name: 'Webhook secret' })
  expect(await shown.getByLabel('Secret').inputValue()).toMatch(/^whsec_[\w+/=]{44}$/)
  await shown.getByRole('button', { name: 'Done' }).click()

  await open.click()
  await expect(dialog).toContainText(url)
  await dialog.getByRole('button', { name: 'Send test' }).click()
  const log = dialog.getByRole('list', { name: 'Last messages' }).getByRole('listitem')
  await expect(log).toContainText('webhook.test · Delivered · HTTP 204')
  expect(messages).toEqual([expect.stringMatching(/^v1,/)])
  await expectClear(page, 'webhook')
  await expectClear(page, 'webhook-narrow', [320])
  await dialog.getByRole('button', { name: 'Remove webhook' }).click()
  await expect(dialog).toHaveCount(0)
  await open.click()
  await expect(dialog.getByLabel('Address')).toHaveValue('')
  receiver.close()
  await server.remove()
})
