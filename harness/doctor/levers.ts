import { createLeverClock } from '../target/levers.ts'
import { find } from './finding.ts'
import { findLine } from './line.ts'
import type { Http } from '../session/http.ts'
import type { Profile } from '../profile/schema.ts'
import type { Findings, Visit } from './patient.ts'

/** Whether the levers that the profile binds can be pulled. None is, but one that reads the clock. */

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
  const isRead =
    profile.levers.readClock?.method === 'GET' && !strangers.some(({ key }) => key === 'levers.readClock')
  return [
    ...strangers.map(({ key, origin }) => find('CFG-LEVER-1', { cause: `\`${key}\` stands at ${origin}.` })),
    ...lines.flat(),
    ...(isRead ? await examineClock(visit, http) : []),
  ]
}

const examineOrigin = async (visit: Visit, origin: string, bound: readonly Bound[]): Promise<Findings> => {
  const { findings } = await findLine(visit, origin)
  const failed = findings.find(({ level }) => level === 'error')
  if (failed === undefined) return []
  const keys = bound.filter((each) => each.origin === origin).map(({ key }) => `\`${key}\``)
  return [find('NET-LEVER-1', { cause: `${keys.join(', ')} at ${origin}: ${failed.cause}` })]
}

const examineClock = async ({ patient }: Visit, http: Http): Promise<Findings> => {
  try {
    const clock = await createLeverClock(http, patient.baseUrl, patient.profile)
    return [find('TGT-LEVER-1', { cause: `The target's clock shows ${clock.now().toISOString()}.` })]
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'HeldBack') throw error
    return [find('TGT-LEVER-2', { cause: `${error.message}.` })]
  }
}
