import { expect, test } from 'vitest'
import { QuotaExceeded } from '#storage/database.ts'
import { QuotaRefusals } from './quota-refusals.ts'

test('a refused create is refused again without a try until the owner makes room', async () => {
  const refusals = new QuotaRefusals()
  let tries = 0
  const create = (owner: string) =>
    refusals.guard(
      owner,
      1,
      () => 10,
      async () => {
        tries += 1
        throw new QuotaExceeded('documents')
      },
    )
  await expect(create('ann')).rejects.toThrow(QuotaExceeded)
  await expect(create('ann')).rejects.toThrow(QuotaExceeded)
  expect(tries).toBe(1)
  await expect(create('bob')).rejects.toThrow(QuotaExceeded)
  refusals.forget('ann')
  await expect(create('ann')).rejects.toThrow(QuotaExceeded)
  expect(tries).toBe(3)
})

test('a smaller create than the refused one is tried', async () => {
  const refusals = new QuotaRefusals()
  const refuse = () =>
    refusals.guard(
      'ann',
      1,
      () => 100,
      () => Promise.reject(new QuotaExceeded('bytes')),
    )
  await expect(refuse()).rejects.toThrow(QuotaExceeded)
  const create = (size: number) =>
    refusals.guard(
      'ann',
      1,
      () => size,
      async () => 'created',
    )
  await expect(create(100)).rejects.toThrow(QuotaExceeded)
  expect(await create(99)).toBe('created')
})
