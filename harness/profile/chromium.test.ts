import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { chromiumOf, verifyBrowser } from './chromium.ts'
import { parsedProfile } from '../testing/samples/profile.ts'
import { scratch } from '../testing/samples/reports.ts'

let folder: string
let program: string

beforeEach(() => {
  folder = scratch()
  program = join(folder, 'chromium')
  writeFileSync(program, '')
  chmodSync(program, 0o755)
})

test('the profile has precedence over the environment, and the environment over the path', () => {
  const other = '/opt/nothing/here'
  expect(chromiumOf({ executable: program }, { CHROMIUM_PATH: other })).toBe(program)
  expect(chromiumOf({}, { CHROMIUM_PATH: program, PATH: '' })).toBe(program)
  expect(chromiumOf({}, { PATH: folder })).toBe(program)
})

test('a path without a program is quoted, with the next step', () => {
  const missing = join(folder, 'missing')
  expect(() => chromiumOf({ executable: missing }, {})).toThrow(
    `\`authorization.executable\` names ${JSON.stringify(missing)}; expected the program of a Chromium`,
  )
  expect(() => chromiumOf({}, { CHROMIUM_PATH: folder })).toThrow(
    `the variable CHROMIUM_PATH names ${JSON.stringify(folder)}`,
  )
  expect(() => chromiumOf({ executable: missing }, {})).toThrow('apt-get install chromium')
})

test('only a profile with kind browser needs one', () => {
  const profileWith = (authorization: object) => parsedProfile({ authorization })
  const missing = join(folder, 'missing')
  expect(() => verifyBrowser(profileWith({ kind: 'browser', executable: missing }), {})).toThrow(missing)
  expect(verifyBrowser(profileWith({ kind: 'browser', executable: program }), {})).toBeUndefined()
  expect(verifyBrowser(profileWith({ kind: 'pages' }), { CHROMIUM_PATH: missing })).toBeUndefined()
})
