import { describe, expect, test } from 'vitest'
import { serverForFile, userForEach } from '@stint/testing/server-tests.ts'

const MANY = '/stint/collections/time_entries/documents'
const ENTRIES = '/databases/stint/collections/time_entries/documents'

const server = serverForFile()
const user = userForEach(server)

function entry(seconds: number) {
  const start = server.clock.now() - 7_200_000
  return {
    taskId: 'task-1',
    userId: user.id,
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + seconds * 1000).toISOString(),
    durationSeconds: seconds,
  }
}

function documents(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    documentId: `entry-${index}`,
    data: entry(60 + index),
  }))
}

async function stored() {
  const reply = await user.call('GET', ENTRIES)
  return new Map(
    reply.body.documents.map((document: { $id: string }) => [document.$id, document] as const),
  )
}

describe('many documents in one call', () => {
  test('a bulk write creates missing documents and changes the sent attributes of existing ones', async () => {
    const data = { ...entry(60), note: 'kept' }
    await user.call('POST', ENTRIES, { documentId: 'known', data })

    const reply = await user.call('PUT', MANY, {
      documents: [
        { documentId: 'known', data: { taskId: 'task-2' } },
        { documentId: 'new', data: entry(90) },
      ],
    })

    expect(reply.status).toBe(200)
    expect(reply.body.documents).toMatchObject([
      { $id: 'known', taskId: 'task-2', note: 'kept', durationSeconds: 60 },
      { $id: 'new', durationSeconds: 90 },
    ])
    expect(new Set((await stored()).keys())).toEqual(new Set(['known', 'new']))
  })

  test('a bulk write returns the documents in the order of the call, including repeated ones', async () => {
    await user.call('POST', ENTRIES, { documentId: 'known', data: entry(60) })
    const sent = [
      { documentId: 'one', data: entry(70) },
      { documentId: 'known', data: { note: 'changed' } },
      { documentId: 'two', data: entry(80) },
      { documentId: 'one', data: { note: 'again' } },
      { documentId: 'three', data: entry(90) },
    ]
    const { status, body } = await user.call('PUT', MANY, { documents: sent })
    expect(status).toBe(200)
    expect(body.documents).toMatchObject([
      { $id: 'one', durationSeconds: 70, note: null },
      { $id: 'known', note: 'changed' },
      { $id: 'two', durationSeconds: 80 },
      { $id: 'one', durationSeconds: 70, note: 'again' },
      { $id: 'three', durationSeconds: 90 },
    ])
  })

  test('a bulk write can be repeated', async () => {
    const sent = { documents: [{ documentId: 'one', data: entry(60) }] }
    const first = await user.call('PUT', MANY, sent)
    const second = await user.call('PUT', MANY, sent)
    expect(second.body).toEqual(first.body)
  })

  test('a new document that exists already is not changed, even if it was changed since', async () => {
    const sent = { documents: [{ documentId: 'one', data: entry(60), isNew: true }] }
    const first = await user.call('PUT', MANY, sent)
    expect(first.body.documents).toMatchObject([{ $id: 'one', note: null }])
    server.clock.advance(1000)
    const changed = await user.call('PATCH', `${ENTRIES}/one`, { data: { note: 'call with Bo' } })
    server.clock.advance(1000)
    const second = await user.call('PUT', MANY, sent)
    expect(second.body.documents).toEqual([changed.body])
    expect((await user.call('GET', `${ENTRIES}/one`)).body).toEqual(changed.body)
  })

  test('simultaneous bulk writes of the same new document all succeed', async () => {
    const data = entry(60)
    for (let round = 0; round < 10; round++) {
      const documentId = `same${round}`
      const calls = Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0
          ? user.call('PUT', `${ENTRIES}/${documentId}`, { data })
          : user.call('PUT', MANY, { documents: [{ documentId, data }] }),
      )
      const statuses = (await Promise.all(calls)).map(({ status }) => status)
      expect(statuses.filter((status) => status >= 300)).toEqual([])
    }
    expect((await stored()).size).toBe(10)
  })

  test('a bulk write writes all documents or none', async () => {
    const reply = await user.call('PUT', MANY, {
      documents: [
        { documentId: 'good', data: entry(60) },
        { documentId: 'bad', data: { ...entry(60), durationSeconds: 999 } },
      ],
    })
    expect(reply.status).toBe(400)
    expect((await stored()).size).toBe(0)
  })

  test('a bulk write with a document that was changed since is refused as a whole', async () => {
    await user.call('PUT', MANY, { documents: [{ documentId: 'one', data: entry(60) }] })
    const updatedAt = Date.parse((await user.call('GET', `${ENTRIES}/one`)).body.$updatedAt)
    const put = (unchangedSince: number) =>
      user.call('PUT', MANY, {
        documents: [
          { documentId: 'one', data: { note: 'together' }, unchangedSince },
          { documentId: 'two', data: entry(60), isNew: true },
        ],
      })
    const late = await put(updatedAt - 1)
    expect(late).toMatchObject({ status: 409, body: { type: 'document_update_conflict' } })
    expect((await stored()).size).toBe(1)
    expect((await put(updatedAt)).status).toBe(200)
    expect((await stored()).size).toBe(2)
  })

  test('a bulk write accepts 500 documents, and the refusal of more names the maximum', async () => {
    expect((await user.call('PUT', MANY, { documents: documents(501) })).body.message).toMatch(
      /at most 500 documents/,
    )
    expect((await user.call('PUT', MANY, { documents: documents(500) })).status).toBe(200)
    expect((await user.call('GET', ENTRIES)).body.total).toBe(500)
  })

  test('a bulk write refuses documents without an id or data, and another’s userId', async () => {
    for (const sent of [
      [{ data: entry(60) }],
      [{ documentId: 'x' }],
      [{ documentId: 'x', data: entry(60), isNew: 'perhaps' }],
      [{ documentId: 'not an id!', data: entry(60) }],
      'nonsense',
      [{ documentId: 'x', data: { ...entry(60), userId: 'somebody-else' } }],
    ]) {
      const reply = await user.call('PUT', MANY, { documents: sent })
      expect([400, 401]).toContain(reply.status)
    }
    expect((await stored()).size).toBe(0)
  })
})
