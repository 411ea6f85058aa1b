import { addressOf } from '../../profile/operations.ts'
import { headerOf, type Exchange } from '../../evidence/exchange.ts'
import { heldEnvironments, otherThan } from '../../profile/environment.ts'
import { findingOf, type Finding, type Findings } from '../../connection/first-contact/finding.ts'
import { judgeBasePath } from '../../connection/first-contact/first-contact.ts'
import type { Examination } from '../../connection/first-contact/examination.ts'
import type { Profile } from '../../profile/schema.ts'
import type { Http } from '../../session/http/http.ts'

/** Examines whether the interface answers at every base path of the profile; the first contact tries one of them. */

interface BasePath {
  readonly path: string
  /** The key in the profile. */
  readonly key: string
  /** Whether it belongs to the environment that is not judged. */
  readonly isOtherEnvironment?: boolean
}

/** An id in paths that does not exist. */
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'

const withUnknownId = (path: string): string => path.replaceAll(/\{[\w-]+\}/g, UNKNOWN_ID)

const basePathsOf = (profile: Profile): readonly BasePath[] => {
  const { environment, secondVariant, payments, loans, allow } = profile
  const other = otherThan(environment)
  const found: BasePath[] = []
  if (allow[other].includes('read'))
    found.push({
      path: addressOf(profile, 'operations.listAccounts', other),
      key: `basePaths.${other}`,
      isOtherEnvironment: true,
    })
  if (secondVariant !== undefined)
    found.push({
      path: addressOf(profile, 'secondVariant.listAccounts'),
      key: `secondVariant.basePaths.${environment}`,
    })
  if (payments !== undefined)
    found.push({
      path: withUnknownId(addressOf(profile, 'payments.status')),
      key: `payments.basePaths.${environment}`,
    })
  if (loans !== undefined)
    found.push({ path: withUnknownId(addressOf(profile, 'loans.status', 'sandbox')), key: 'loans.basePath' })
  return found
}

export const examineBasePaths = ({ target }: Examination, http: Http): Promise<Findings> =>
  Promise.all(
    basePathsOf(target.profile).map(async (basePath) => {
      const url = target.baseUrl + basePath.path
      const exchange = await http.send({
        operation: 'probe',
        sender: 'probe',
        method: 'GET',
        url,
        headers: [],
        ...(basePath.isOtherEnvironment === true && {
          environment: otherThan(target.profile.environment),
        }),
      })
      const finding = withoutSignature(judge(basePath, exchange), basePath, target.profile)
      return basePath.isOtherEnvironment === true ? ofOtherEnvironment(finding, target.profile) : finding
    }),
  )

const judge = ({ path, key }: BasePath, exchange: Exchange): Finding => {
  const { request, response } = exchange
  // A gateway answers 404 in its own form for an unknown path; an interface that answers 404 in JSON knows the path.
  const isUnknownId =
    path.includes(UNKNOWN_ID) &&
    response?.status === 404 &&
    /\bjson\b/i.test(headerOf(response.headers, 'content-type') ?? '')
  return isUnknownId
    ? findingOf('TGT-PATH-1', {
        cause: `GET ${request.url} (${key}) answers 404, in JSON: there is no account with this id.`,
      })
    : judgeBasePath(exchange, key)
}

/** This request has no credentials, and a bank that checks signatures first may answer it otherwise than a signed one. */
const withoutSignature = (finding: Finding, { key }: BasePath, { payments }: Profile): Finding =>
  key.startsWith('payments.') && payments?.signature !== undefined
    ? {
        ...finding,
        cause: `${finding.cause} It was sent without credentials, and not signed by \`payments.signature\`: --day sends signed requests.`,
      }
    : finding

/** The other environment is optional, unless the profile says that its credentials are valid there. */
const ofOtherEnvironment = (finding: Finding, profile: Profile): Finding => {
  if (finding.level === 'ok' || finding.level === 'notice') return finding
  const isExpected = heldEnvironments(profile).includes(otherThan(profile.environment))
  const { cause } = finding
  return findingOf('TGT-PATH-5', isExpected ? { cause, level: 'warning' } : { cause })
}
