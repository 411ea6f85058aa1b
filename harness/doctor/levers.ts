import { createLeverClock, createLevers } from '../target/levers.ts'
import { find } from './finding.ts'
import { findLine } from './line.ts'
import type { Finding } from './finding.ts'
import type { Http } from '../session/http.ts'
import type { Profile } from '../profile/schema.ts'
import type { Findings, Visit } from './patient.ts'

/** Whether the levers that the profile binds can be pulled. None is, but those that read. */

interface Bound {
  readonly key: string
  readonly origin: string
}

const boundIn = ({ levers }: Profile, baseUrl: string): readonly Bound[] =>
  Object.entries(levers).flatMap(([name, lever]) => {
    if (lever === undefined) return []
    const { url } = lever
    // A placeholder may stand where a URL has no room for it.
    const address = url.replaceAll(/[{}]/g, '')
    return URL.canParse(address, `${baseUrl}/`)
      ? [{ key: `levers.${name}`, origin: new URL(address, `${baseUrl}/`).origin }]
      : []
  })

export const examineLevers = async (visit: Visit, http: Http): Promise<Findings> => {
  const { profile, baseUrl } = visit.patient
  const own = new URL(baseUrl).origin
  const bound = boundIn(profile, baseUrl)
  const strangers = bound.filter(({ origin }) => !http.origins.includes(origin))
  const others = new Set(
    bound.filter(({ origin }) => origin !== own && http.origins.includes(origin)).map(({ origin }) => origin),
  )
  const lines = await Promise.all([...others].map((origin) => examineOrigin(visit, origin, bound)))
  const isRead = (name: 'readClock' | 'readWebhook'): boolean =>
    profile.levers[name]?.method === 'GET' && !strangers.some(({ key }) => key === `levers.${name}`)
  return [
    ...strangers.map(({ key, origin }) => find('CFG-LEVER-1', { cause: `\`${key}\` stands at ${origin}.` })),
    ...lines.flat(),
    ...(isRead('readClock') ? await examineClock(visit, http) : []),
    ...(isRead('readWebhook') ? await examineSettings(visit, http) : []),
  ]
}

const examineOrigin = async (visit: Visit, origin: string, bound: readonly Bound[]): Promise<Findings> => {
  const { findings } = await findLine(visit, origin)
  const failed = findings.find(({ level }) => level === 'error')
  if (failed === undefined) return []
  const keys = bound.filter((each) => each.origin === origin).map(({ key }) => `\`${key}\``)
  return [find('NET-LEVER-1', { cause: `${keys.join(', ')} at ${origin}: ${failed.cause}` })]
}

/** What the lever has told, or why it has not. */
const pulled = async (
  pull: () => Promise<Finding>,
  failed: 'TGT-LEVER-2' | 'TGT-LEVER-4',
): Promise<Findings> => {
  try {
    return [await pull()]
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'HeldBack') throw error
    return [find(failed, { cause: `${error.message}.` })]
  }
}

const examineClock = ({ patient }: Visit, http: Http): Promise<Findings> =>
  pulled(async () => {
    const clock = await createLeverClock(http, patient.baseUrl, patient.profile)
    return find('TGT-LEVER-1', { cause: `The target's clock shows ${clock.now().toISOString()}.` })
  }, 'TGT-LEVER-2')

const examineSettings = ({ patient: { baseUrl, profile } }: Visit, http: Http): Promise<Findings> =>
  pulled(async () => {
    const levers = createLevers(http, baseUrl, profile)
    const found = await Promise.all(profile.applications.map(({ clientId }) => levers.readWebhook(clientId)))
    const set = found.filter((settings) => settings !== undefined).length
    return find('TGT-LEVER-3', { cause: `Of ${found.length} applications, ${set} have such settings.` })
  }, 'TGT-LEVER-4')
