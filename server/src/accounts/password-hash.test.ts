import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { passwordHasher } from './password-hash.ts'

const CHEAP = { memoryKibibytes: 64, passes: 1 }

test('a stored hash matches its password and no other', async () => {
  const passwords = passwordHasher(CHEAP)
  const stored = await passwords.hash('correct horse')
  expect(await passwords.verify('correct horse', stored)).toBe(true)
  expect(await passwords.verify('correct horsf', stored)).toBe(false)
  expect(await passwords.hash('correct horse')).not.toBe(stored)
})

test('no password matches when there is no user', async () => {
  expect(await passwordHasher(CHEAP).verify('', null)).toBe(false)
})

test('a hash has at least the cost that OWASP requires, and cheaper ones are outdated', async () => {
  const stored = await passwordHasher(CHEAP).hash('correct horse')
  const standard = passwordHasher()
  expect(standard.isOutdated(stored)).toBe(true)
  expect(await standard.hash('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

// Node's argon2 is another implementation, which made the hashes of earlier versions.
test.each([CHEAP, { memoryKibibytes: 19_456, passes: 2 }])(
  'the hash at %o is the one that Node computes',
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

test('hashes of sign-ins are computed before others that have waited longer', async () => {
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
  // The first was already being computed.
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

test('sign-ins can wait while the queue of all others is full', async () => {
  const passwords = passwordHasher(CHEAP, 1)
  const stored = await passwords.hash('correct horse')
  const others = Promise.allSettled(Array.from({ length: 80 }, () => passwords.hash('other')))
  expect(await passwords.verify('correct horse', stored, 'sign-in')).toBe(true)
  expect((await others).filter(({ status }) => status === 'rejected')).toHaveLength(15)
})

test('the sixty-seventh hash is refused at once', async () => {
  const passwords = passwordHasher(CHEAP, 2)
  const results = await Promise.allSettled(
    Array.from({ length: 67 }, () => passwords.hash('password')),
  )
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1)
})
