import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { passwordHasher } from './password-hash.ts'

const CHEAP = { memoryKibibytes: 64, passes: 1 }

test('knows the password again, and no other', async () => {
  const passwords = passwordHasher(CHEAP)
  const stored = await passwords.hash('correct horse')
  expect(await passwords.verify('correct horse', stored)).toBe(true)
  expect(await passwords.verify('correct horsf', stored)).toBe(false)
  expect(await passwords.hash('correct horse')).not.toBe(stored)
})

test('nobody has a right password', async () => {
  expect(await passwordHasher(CHEAP).verify('', null)).toBe(false)
})

test('uses at least what OWASP asks for, and tells hashes made cheaper', async () => {
  const stored = await passwordHasher(CHEAP).hash('correct horse')
  const standard = passwordHasher()
  expect(standard.isOutdated(stored)).toBe(true)
  expect(await standard.hash('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

// Node's own is another hand's work, and made the hashes of earlier versions.
test.each([CHEAP, { memoryKibibytes: 19_456, passes: 2 }])(
  'makes the hash that others make, at %o',
  async (cost) => {
    const password = 'corrèct hörse 🐎'
    const stored = await passwordHasher(cost).hash(password)
    const [salt = '', hash = ''] = stored.split('$').slice(-2)
    const others = argon2Sync('argon2id', {
      message: password,
      nonce: Buffer.from(salt, 'base64'),
      parallelism: 1,
      tagLength: 32,
      memory: cost.memoryKibibytes,
      passes: cost.passes,
    })
    expect(hash).toBe(others.toString('base64').replace(/=+$/, ''))
  },
)

test('hashes for sign-ins before all that waits longer', async () => {
  const passwords = passwordHasher(CHEAP, 1)
  const stored = await passwords.hash('correct horse')
  const done: string[] = []
  const others = Array.from({ length: 5 }, () =>
    passwords.hash('other').then(() => done.push('other')),
  )
  const signIns = Array.from({ length: 3 }, () =>
    passwords.verify('correct horse', stored, 'sign-in').then(() => done.push('sign-in')),
  )
  await Promise.all([...others, ...signIns])
  // The first was being computed already.
  expect(done).toEqual([
    'other',
    'sign-in',
    'sign-in',
    'sign-in',
    'other',
    'other',
    'other',
    'other',
  ])
})

test('takes sign-ins in while the queue of all else is full', async () => {
  const passwords = passwordHasher(CHEAP, 1)
  const stored = await passwords.hash('correct horse')
  const others = Promise.allSettled(Array.from({ length: 80 }, () => passwords.hash('other')))
  expect(await passwords.verify('correct horse', stored, 'sign-in')).toBe(true)
  expect((await others).filter(({ status }) => status === 'rejected')).toHaveLength(15)
})

test('turns away the sixty-seventh at once instead of letting all wait', async () => {
  const passwords = passwordHasher(CHEAP, 2)
  const results = await Promise.allSettled(
    Array.from({ length: 67 }, () => passwords.hash('password')),
  )
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
})
