import { settleHttpUrl } from './base-url.ts'
import { CLOCK_ARGUMENTS } from './schema/test-hooks.ts'
import { placeholdersOf, unknownPlaceholders } from './placeholders.ts'
import type { CrossChecks } from './configuration-error.ts'
import type { Profile } from './schema.ts'
import type { TestHookRequest } from './schema/test-hooks.ts'

/** What each test hook is told, and so what its request has to pass on; of the units of a clock, one is enough. */
export const TEST_HOOK_ARGUMENTS: Readonly<Record<keyof Profile['testHooks'], readonly string[]>> = {
  readClock: [],
  advanceClock: CLOCK_ARGUMENTS,
  revokeToken: ['token'],
  revokeConsent: ['consentId'],
  bookTransaction: ['iban', 'amount'],
  configureWebhook: ['clientId', 'enabled', 'url', 'securityHeader'],
  readWebhook: ['clientId'],
}

export const testHookChecks = (profile: Profile): CrossChecks => {
  const bound = Object.entries(TEST_HOOK_ARGUMENTS).flatMap(([name, known]) => {
    const testHook = profile.testHooks[name as keyof Profile['testHooks']]
    return testHook === undefined ? [] : [{ key: `testHooks.${name}`, testHook, known }]
  })
  return {
    problems: bound.flatMap(({ key, testHook, known }) => [
      ...placeholders(key, testHook, known),
      ...address(`${key}.url`, testHook.url),
      ...body(key, testHook),
    ]),
    warnings: [
      ...bound.flatMap(({ key, testHook }) => elsewhere(`${key}.url`, testHook.url, profile)),
      ...clock(profile),
    ],
  }
}

const placeholders = (
  key: string,
  testHook: TestHookRequest,
  known: readonly string[],
): readonly string[] => {
  const { url, headers, body } = testHook
  const used = placeholdersOf({ url, headers, body }).map(({ name }) => name)
  // One that is misspelt has been complained of.
  const isMoved = known !== CLOCK_ARGUMENTS || used.length > 0
  return [
    ...unknownPlaceholders(key, { url, headers, body }, known),
    ...(isMoved
      ? []
      : [
          `\`${key}\` says nowhere how far the clock is moved; put one of ${known.map((name) => `{${name}}`).join(', ')} into its url, a header or the body`,
        ]),
    ...(known === CLOCK_ARGUMENTS ? [] : known)
      .filter((name) => !used.includes(name))
      .map((name) => `\`${key}\` passes {${name}} on nowhere; put it into its url, a header or the body`),
  ]
}

const isAbsolute = (url: string): boolean => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url)

const address = (key: string, url: string): readonly string[] => {
  if (!isAbsolute(url)) return []
  // A test hook may well have a query; the rest is as with any address.
  const settled = settleHttpUrl(url.replace(/\?[^#]*/, ''), 'https://hooks.bank.example/clock')
  return 'problem' in settled ? [`\`${key}\`: ${settled.problem}`] : []
}

const body = (key: string, testHook: TestHookRequest): readonly string[] => {
  try {
    JSON.stringify(testHook.body)
    return []
  } catch {
    return [
      `\`${key}.body\` cannot be written as JSON; use texts, numbers, true, false, null, lists and objects`,
    ]
  }
}

const clock = ({ testHooks: { readClock, advanceClock } }: Profile): readonly string[] =>
  advanceClock !== undefined && readClock === undefined
    ? [
        '`testHooks.advanceClock` stands without `testHooks.readClock`: the target is taken to have the time of this machine',
      ]
    : []

/** Requests go to the target alone; a test hook at another origin would be held back. */
const elsewhere = (key: string, url: string, { baseUrl, origins }: Profile): readonly string[] => {
  if (!isAbsolute(url) || !URL.canParse(url)) return []
  const { origin } = new URL(url)
  const known = [...origins, ...(baseUrl === undefined ? [] : [baseUrl])].map((each) => new URL(each).origin)
  return known.includes(origin)
    ? []
    : [
        `\`${key}\` stands at ${origin}, which is not the target's; add it to \`origins\`, or the test hook is never pulled`,
      ]
}
