import { expect, test } from 'vitest'
import { commonPasswords, passwordFault } from './password-fault.ts'

const COMMON = commonPasswords(['password1', 'TrustNo1!', 'qwertyuiop', 'short', 'Password1'])
const ADA = { email: 'ada.king@example.com', name: 'Ada Lovelace' }

test('A list of common passwords keeps each one that is long enough to be chosen, once and in lower case', () => {
  expect([...COMMON]).toEqual(['password1', 'trustno1!', 'qwertyuiop'])
})

test.each([
  ['password1', 'common'],
  ['PassWord1', 'common'],
  ['trustno1!', 'common'],
  ['password12', null],
  ['ada.king@example.com', 'personal'],
  ['ADA.KING@example.com', 'personal'],
  ['ada.king', 'personal'],
  ['Ada Lovelace', 'personal'],
  ['adalovelace', 'personal'],
  ['Lovelace-1815!', 'personal'],
  ['king+king+king', 'personal'],
  ['ada@example1', 'personal'],
  ['example2026', 'personal'],
  ['Ada-Password1', 'personal'],
  ['stint2026!', 'personal'],
  ['Stint_Stint_Stint', 'personal'],
  // The rest is a strong password without the personal words.
  ['ada and the analytical engine', null],
  ['a stint of nine long years', null],
  ['compass12', null],
  ['correct horse 1', null],
  ['Даниил и 12 стульев', null],
])('A password like %j is refused as %s', (password, fault) => {
  expect(passwordFault(password, ADA, COMMON)).toBe(fault)
})

test('A password is judged on its own when its owner has no name or address', () => {
  expect(passwordFault('correct horse 1', { email: '', name: '' }, COMMON)).toBeNull()
})

test('A password may contain a name or an address of two letters, because many words contain them', () => {
  expect(passwordFault('correct1', { email: 'co@example.com', name: 'Re' }, COMMON)).toBeNull()
})

test('A password is compared with a name that is not written in Latin letters', () => {
  const owner = { email: 'x@example.com', name: 'Анна Каренина' }
  expect(passwordFault('каренина1878', owner, COMMON)).toBe('personal')
})
