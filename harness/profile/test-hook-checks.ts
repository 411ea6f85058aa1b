import { settleHttpUrl, type CrossChecks } from './configuration-error.ts'
import { AMOUNT_FORMS, isAmount, placeholdersOf, unknownPlaceholders } from './template.ts'
import { inPlace, PLACES } from './schema/places.ts'
import { CLOCK_ARGUMENTS, type TestHookRequest } from './schema/test-hooks.ts'
import { problemIf } from './references.ts'
import { testHookKey } from './test-hooks.ts'
import type { Profile } from './schema.ts'

type HookName = keyof Profile['testHooks']

/** The arguments of each test hook, which its request must contain; of the units of a clock, and of the forms of an amount, one is enough. */
export const TEST_HOOK_ARGUMENTS: Readonly<Record<HookName, readonly string[]>> = {
  readClock: [],
  advanceClock: CLOCK_ARGUMENTS,
  revokeToken: ['token'],
  revokeConsent: ['consentId'],
  bookTransaction: ['iban', ...AMOUNT_FORMS],
  configureWebhook: ['clientId', 'enabled', 'url', 'securityHeader'],
  readWebhook: ['clientId'],
}

const OPTIONAL_ARGUMENTS = ['environment'] as const

const HOOKS = Object.keys(TEST_HOOK_ARGUMENTS) as readonly HookName[]

/** A request of a test hook, or the part of it that differs in one place, as the profile has it. */
interface WrittenHook {
  readonly name: HookName
  readonly key: string
  readonly request: Partial<Pick<TestHookRequest, 'url' | 'headers' | 'body'>>
}

export const writtenHooks = ({ testHooks }: Pick<Profile, 'testHooks'>): readonly WrittenHook[] =>
  HOOKS.flatMap((name) => {
    const hook = testHooks[name]
    if (hook === undefined) return []
    const own = PLACES.flatMap((place) => {
      const request = hook.environments?.[place]
      return request === undefined
        ? []
        : [
            {
              name,
              key: `testHooks.${name}.environments.${place}`,
              request: request as WrittenHook['request'],
            },
          ]
    })
    return [{ name, key: `testHooks.${name}`, request: hook }, ...own]
  })

export const testHookChecks = (profile: Profile): CrossChecks => {
  const written = writtenHooks(profile)
  return {
    problems: [
      ...written.flatMap(({ name, key, request: { url, headers, body } }) => [
        ...unknownPlaceholders(key, { url, headers, body }, [
          ...TEST_HOOK_ARGUMENTS[name],
          ...OPTIONAL_ARGUMENTS,
        ]),
        ...address(`${key}.url`, url),
        ...writable(`${key}.body`, body),
      ]),
      ...new Set(HOOKS.flatMap((name) => unpassed(profile, name))),
    ],
    warnings: [
      ...written.flatMap(({ key, request }) => elsewhere(`${key}.url`, request.url, profile)),
      ...clock(profile),
    ],
  }
}

/** The arguments that a test hook does not pass on, wherever it exists. */
const unpassed = (profile: Profile, name: HookName): readonly string[] => {
  const hook = profile.testHooks[name]
  const known = TEST_HOOK_ARGUMENTS[name]
  if (hook === undefined) return []
  return PLACES.flatMap((place) => {
    const found = inPlace(hook, place)
    if (found === undefined) return []
    const key = testHookKey(profile, name, place)
    const { url, headers, body } = found
    const used = placeholdersOf({ url, headers, body }).map(({ name: each }) => each)
    if (known === CLOCK_ARGUMENTS)
      // A misspelt placeholder is already reported.
      return problemIf(
        used.every((each) => each === 'environment'),
        `\`${key}\` says nowhere how far the clock is moved; put one of ${known.map((each) => `{${each}}`).join(', ')} into its url, a header or the body`,
      )
    return known
      .filter((each) => each === 'amount' || !isAmount(each))
      .filter((each) => !used.some((one) => one === each || (each === 'amount' && isAmount(one))))
      .map((each) => `\`${key}\` passes {${each}} on nowhere; put it into its url, a header or the body`)
  })
}

const isAbsolute = (url: string): boolean => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url)

const address = (key: string, url: string | undefined): readonly string[] => {
  if (url === undefined || !isAbsolute(url)) return []
  // A test hook may have a query; otherwise the rules of all addresses apply.
  const settled = settleHttpUrl(url.replace(/\?[^#]*/, ''), 'https://hooks.bank.example/clock')
  return 'problem' in settled ? [`\`${key}\`: ${settled.problem}`] : []
}

const writable = (key: string, body: unknown): readonly string[] => {
  try {
    JSON.stringify(body)
    return []
  } catch {
    return [`\`${key}\` cannot be written as JSON; use texts, numbers, true, false, null, lists and objects`]
  }
}

const clock = ({ testHooks: { readClock, advanceClock } }: Profile): readonly string[] =>
  PLACES.flatMap((place) => {
    const isMoved = advanceClock !== undefined && inPlace(advanceClock, place) !== undefined
    const isRead = readClock !== undefined && inPlace(readClock, place) !== undefined
    if (!isMoved || isRead) return []
    const where = readClock === undefined ? '' : ` in ${place}`
    return [
      `\`testHooks.advanceClock\` is given without \`testHooks.readClock\`${where}: the target is assumed to have the time of this machine`,
    ]
  }).filter((sentence, at, all) => all.indexOf(sentence) === at)

/** Requests are sent only to the target; a test hook at another origin would not be called. */
const elsewhere = (
  key: string,
  url: string | undefined,
  { baseUrl, origins }: Profile,
): readonly string[] => {
  if (url === undefined || !isAbsolute(url) || !URL.canParse(url)) return []
  const { origin } = new URL(url)
  const known = [...origins, ...(baseUrl === undefined ? [] : [baseUrl])].map((each) => new URL(each).origin)
  return problemIf(
    !known.includes(origin),
    `\`${key}\` is at ${origin}, which is not the target's; add it to \`origins\`, or the test hook is never called`,
  )
}
