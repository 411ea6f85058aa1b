import { isDeepStrictEqual } from 'node:util'
import { findingOf, type Findings, type Finding } from '../../connection/first-contact/finding.ts'
import { findRoute } from '../../connection/first-contact/route.ts'
import { createTestHookClock, createTestHooks } from '../../connection/test-hooks.ts'
import { applicationsIn } from '../../profile/applications.ts'
import { testHooksIn, testHookKey } from '../../profile/test-hooks.ts'
import type { Examination, ExaminedTarget } from '../../connection/first-contact/examination.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Place } from '../../profile/schema/places.ts'
import type { TestHookRequest } from '../../profile/schema/test-hooks.ts'
import type { Http } from '../../session/http/http.ts'

/** Examines whether the test hooks of the profile can be called. It calls only those that read. */

interface BoundHook {
  readonly key: string
  readonly origin: string
}

/** Those of the environment that is judged, and the clock of the loan sandbox. */
const hooksOf = (profile: Profile): readonly (readonly [key: string, hook: TestHookRequest])[] => {
  const ofLoans = Object.entries(testHooksIn(profile, 'loans')).filter(([name]) => name.endsWith('Clock'))
  const inOne = (hooks: Profile['testHooks'], place: Place) =>
    Object.entries(hooks).flatMap(([name, hook]) =>
      hook === undefined
        ? []
        : [[testHookKey(profile, name as keyof Profile['testHooks'], place), hook] as const],
    )
  return [
    ...new Map([
      ...inOne(testHooksIn(profile), profile.environment),
      ...(profile.loans === undefined ? [] : inOne(Object.fromEntries(ofLoans), 'loans')),
    ]),
  ]
}

const boundHooks = (profile: Profile, baseUrl: string): readonly BoundHook[] =>
  hooksOf(profile).flatMap(([key, testHook]) => {
    // Braces of a placeholder are not allowed in some parts of a URL.
    const address = testHook.url.replaceAll(/[{}]/g, '')
    return URL.canParse(address, `${baseUrl}/`)
      ? [{ key, origin: new URL(address, `${baseUrl}/`).origin }]
      : []
  })

export const examineTestHooks = async (examination: Examination, http: Http): Promise<Findings> => {
  const { target } = examination
  const { profile, baseUrl } = target
  const hooks = boundHooks(profile, baseUrl)
  const forbidden = hooks.filter(({ origin }) => !http.origins.includes(origin))
  const allowed = hooks.filter((hook) => !forbidden.includes(hook))
  const otherOrigins = new Set(allowed.map(({ origin }) => origin))
  otherOrigins.delete(new URL(baseUrl).origin)
  const routes = await Promise.all(
    [...otherOrigins].map((origin) => examineOrigin(examination, origin, allowed)),
  )
  const canRead = (name: 'readClock' | 'readWebhook', place: Place = profile.environment): boolean =>
    testHooksIn(profile, place)[name]?.method === 'GET' &&
    !forbidden.some(({ key }) => key === testHookKey(profile, name, place))
  const loansHaveOwnClock =
    profile.loans !== undefined &&
    !isDeepStrictEqual(testHooksIn(profile, 'loans').readClock, testHooksIn(profile).readClock)
  return [
    ...forbidden.map(({ key, origin }) =>
      findingOf('CFG-TEST-HOOK-1', { cause: `\`${key}\` is at ${origin}.` }),
    ),
    ...routes.flat(),
    ...(canRead('readClock') ? [await examineClock(target, http, profile.environment)] : []),
    ...(loansHaveOwnClock && canRead('readClock', 'loans')
      ? [await examineClock(target, http, 'loans')]
      : []),
    ...(canRead('readWebhook') ? [await examineWebhookSettings(target, http)] : []),
  ]
}

const examineOrigin = async (
  examination: Examination,
  origin: string,
  hooks: readonly BoundHook[],
): Promise<Findings> => {
  const { findings } = await findRoute(examination, origin)
  const error = findings.find(({ level }) => level === 'error')
  if (error === undefined) return []
  const keys = hooks.filter((hook) => hook.origin === origin).map(({ key }) => `\`${key}\``)
  return [findingOf('NET-TEST-HOOK-1', { cause: `${keys.join(', ')} at ${origin}: ${error.cause}` })]
}

/** The result of a test hook, or a finding with the reason why it failed. */
const callHook = async (
  call: () => Promise<Finding>,
  failure: 'TGT-TEST-HOOK-2' | 'TGT-TEST-HOOK-4',
): Promise<Finding> => {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'HeldBack') throw error
    return findingOf(failure, { cause: `${error.message}.` })
  }
}

const examineClock = ({ baseUrl, profile }: ExaminedTarget, http: Http, place: Place): Promise<Finding> =>
  callHook(async () => {
    const clock = await createTestHookClock(http, baseUrl, profile, place)
    const whose = place === 'loans' ? 'The clock of the loan sandbox' : "The target's clock"
    return findingOf('TGT-TEST-HOOK-1', { cause: `${whose} shows ${clock.now().toISOString()}.` })
  }, 'TGT-TEST-HOOK-2')

const examineWebhookSettings = ({ baseUrl, profile }: ExaminedTarget, http: Http): Promise<Finding> =>
  callHook(async () => {
    const testHooks = createTestHooks(http, baseUrl, profile)
    const found = await Promise.all(
      applicationsIn(profile).map(({ clientId }) => testHooks.readWebhook(clientId)),
    )
    const set = found.filter((settings) => settings !== undefined).length
    const cause = `Of ${found.length} applications, ${set} have such settings.`
    return findingOf('TGT-TEST-HOOK-3', { cause })
  }, 'TGT-TEST-HOOK-4')
