import { heldEnvironments, otherThan } from '../profile/environments.ts'
import { headerOf } from '../evidence/exchange.ts'
import { judgePlace } from './answers.ts'
import { find } from './finding.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Profile } from '../profile/schema.ts'
import type { Http } from '../session/http.ts'
import type { Finding } from './finding.ts'
import type { Findings, Visit } from './patient.ts'

/** Whether the interface answers at every base path that the profile names, beside the one that is judged. */

interface Place {
  readonly path: string
  /** The key of the profile that it comes from. */
  readonly key: string
  /** Whether it belongs to the environment that is not judged. */
  readonly isElsewhere?: boolean
}

/** Stands where a path names something: nobody has it. */
const NOBODYS = '00000000-0000-4000-8000-000000000000'

const filled = (path: string): string => path.replaceAll(/\{[\w-]+\}/g, NOBODYS)

const placesOf = (profile: Profile): readonly Place[] => {
  const { environment, basePaths, operations, secondVariant, payments, loans, allow } = profile
  const other = otherThan(environment)
  return [
    ...(allow[other].includes('read')
      ? [
          {
            path: basePaths[other] + operations.listAccounts.path,
            key: `basePaths.${other}`,
            isElsewhere: true,
          },
        ]
      : []),
    ...(secondVariant === undefined
      ? []
      : [
          {
            path: secondVariant.basePaths[environment] + secondVariant.listAccounts.path,
            key: `secondVariant.basePaths.${environment}`,
          },
        ]),
    ...(payments === undefined
      ? []
      : [
          {
            path: payments.basePaths[environment] + filled(payments.status.path),
            key: `payments.basePaths.${environment}`,
          },
        ]),
    ...(loans === undefined
      ? []
      : [{ path: loans.basePath + filled(loans.status.path), key: 'loans.basePath' }]),
  ]
}

export const examineOtherPlaces = async ({ patient }: Visit, http: Http): Promise<Findings> =>
  Promise.all(
    placesOf(patient.profile).map(async (place) => {
      const url = patient.baseUrl + place.path
      const exchange = await http.send({
        operation: 'probe',
        sender: 'probe',
        method: 'GET',
        url,
        headers: [],
      })
      const finding = isUnknownAlone(place, exchange)
        ? unknownAlone(exchange, place)
        : judgePlace(exchange, place.key)
      return place.isElsewhere === true ? elsewhere(finding, patient.profile) : finding
    }),
  )

/** An interface may say with 404, in JSON, that nobody has what the path names; a gateway says it of the path itself. */
const isUnknownAlone = ({ path }: Place, { response }: Exchange): boolean =>
  path.includes(NOBODYS) &&
  response?.status === 404 &&
  /\bjson\b/i.test(headerOf(response.headers, 'content-type') ?? '')

const unknownAlone = ({ request }: Exchange, { key }: Place): Finding =>
  find('TGT-PATH-1', { cause: `GET ${request.url} (${key}) answers 404, in JSON: nobody has that id.` })

/** A target need not have the other environment, unless the profile says that its credentials hold there. */
const elsewhere = (finding: Finding, profile: Profile): Finding => {
  if (finding.level === 'ok' || finding.level === 'notice') return finding
  const isHeld = heldEnvironments(profile).includes(otherThan(profile.environment))
  return find('TGT-PATH-5', { cause: finding.cause, ...(isHeld && { level: 'warning' as const }) })
}
