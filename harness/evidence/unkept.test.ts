import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { unkeptBecause } from './unkept.ts'

const thrownBy = (act: () => void): unknown => {
  try {
    act()
    return undefined
  } catch (error) {
    return error
  }
}

test('a device without space is told in words, with the code of the system', () => {
  expect(unkeptBecause(thrownBy(() => appendFileSync('/dev/full', 'x')))).toBe(
    'no space is left on the device (ENOSPC)',
  )
})

test.each([
  thrownBy(() => appendFileSync('/no/such/folder', 'x')),
  new Error('ENOSPC: no space left on device, write'),
  'ENOSPC',
  undefined,
  null,
])('nothing is said of %s', (error) => {
  expect(unkeptBecause(error)).toBeUndefined()
})
