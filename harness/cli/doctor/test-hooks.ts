import { findingOf } from '../../target/first-contact/finding.ts'
import { findRoute } from '../../target/first-contact/route.ts'
import { createTestHookClock, createTestHooks } from '../../target/test-hooks.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Http } from '../../session/http/http.ts'
import type { Examination, ExaminedTarget } from '../../target/first-contact/examination.ts'
import type { Finding, Findings } from '../../target/first-contact/finding.ts'

/** Whether the test hooks of the profile can be called. Only those that read are called. */

interface BoundHook {
  /** Of the profile. */
  readonly key: string
  readonly origin: string
}

const boundHooks = ({ testHooks }: Profile, baseUrl: string): readonly BoundHook[] =>
  Object.entries(testHooks).flatMap(([name, testHook]) => {
    if (testHook === undefined) return []
    // The braces of a placeholder may be in a part of a URL that cannot have them.
    const address = testHook.url.replaceAll(/[{}]/g, '')
    return URL.canParse(address, `${baseUrl}/`)
      ? [{ key: `testHooks.${name}`, origin: new URL(address, `${baseUrl}/`).origin }]
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
  const canRead = (name: 'readClock' | 'readWebhook'): boolean =>
    profile.testHooks[name]?.method === 'GET' && !forbidden.some(({ key }) => key === `testHooks.${name}`)
  return [
    ...forbidden.map(({ key, origin }) =>
      findingOf('CFG-TEST-HOOK-1', { cause: `\`${key}\` is at ${origin}.` }),
    ),
    ...routes.flat(),
    ...(canRead('readClock') ? [await examineClock(target, http)] : []),
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
const called = async (
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

const examineClock = ({ baseUrl, profile }: ExaminedTarget, http: Http): Promise<Finding> =>
  called(async () => {
    const clock = await createTestHookClock(http, baseUrl, profile)
    return findingOf('TGT-TEST-HOOK-1', { cause: `The target's clock shows ${clock.now().toISOString()}.` })
  }, 'TGT-TEST-HOOK-2')

const examineWebhookSettings = ({ baseUrl, profile }: ExaminedTarget, http: Http): Promise<Finding> =>
  called(async () => {
    const testHooks = createTestHooks(http, baseUrl, profile)
    const found = await Promise.all(
      profile.applications.map(({ clientId }) => testHooks.readWebhook(clientId)),
    )
    const set = found.filter((settings) => settings !== undefined).length
    const cause = `Of ${found.length} applications, ${set} have such settings.`
    return findingOf('TGT-TEST-HOOK-3', { cause })
  }, 'TGT-TEST-HOOK-4')
