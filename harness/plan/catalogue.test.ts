import { expect, test } from 'vitest'
import { createKeys, loadCatalogue } from './catalogue.ts'

const { checks } = await loadCatalogue()

const fileOf = (key: string): string => key.slice(0, key.indexOf('#'))

const files = [...new Set(checks.map(({ key }) => fileOf(key)))].map((file) => ({
  file,
  own: checks.filter(({ key }) => fileOf(key) === file),
}))

test('no two checks share a key', () => {
  expect(new Set(checks.map(({ key }) => key)).size).toBe(checks.length)
})

test.each(files)('a check inserted into $file leaves the keys of the others as they are', ({ file, own }) => {
  const inserted = checks.find(
    ({ check }) => !own.some((one) => one.check.requirement.id === check.requirement.id),
  )
  if (inserted === undefined) throw new Error('every requirement is judged in this file')
  const keyOf = createKeys(file)
  const keys = [inserted, ...own].map(({ check }) => keyOf(check))
  expect(keys.slice(1)).toEqual(own.map(({ key }) => key))
  expect(own.map(({ key }) => key)).not.toContain(keys[0])
})

test('checks that share requirement and scenario are numbered', () => {
  const [first] = checks
  if (first === undefined) throw new Error('the catalogue is empty')
  const keyOf = createKeys('specs/a.spec.ts')
  const keys = [first, first, first].map(({ check }) => keyOf(check))
  const { requirement, scenario } = first.check
  const key = `specs/a.spec.ts#${requirement.id} ${scenario.title}`
  expect(keys).toEqual([key, `${key} (2)`, `${key} (3)`])
})
