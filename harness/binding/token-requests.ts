import { fieldOf, jsonOf } from '../session/answer.ts'
import { namesIn } from './filled.ts'
import { isTaken } from './requests.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Misfit } from '../check/misfit.ts'
import type { Profile } from '../profile/schema.ts'
import type { Operation } from '../session/request.ts'

/**
 * How an application comes to a token of its own is not shown: where none was ever given, and the target says that it
 * knows not how it was asked (RFC 6749 §5.2), that may be what the profile has in the place of it.
 */

interface Blame {
  readonly member: 'form' | 'credentials'
  readonly expected: string
}

const FORM: Blame = { member: 'form', expected: 'request of the target' }

const BLAMED: ReadonlyMap<unknown, Blame> = new Map([
  ['unsupported_grant_type', FORM],
  ['invalid_request', FORM],
  ['invalid_scope', FORM],
  ['unauthorized_client', FORM],
  ['invalid_client', { member: 'credentials', expected: 'credentials of the target' }],
])

interface Asking {
  readonly part: 'loans.token' | 'payments.token'
  readonly operation: Operation
  /** Where a refusal may have its code. */
  readonly codes: readonly string[]
  readonly form: Readonly<Record<string, string>>
  readonly credentials: string
}

const askingsOf = ({ loans, payments, operations }: Profile): readonly Asking[] => {
  const codes = ['error', operations.token.errorCode]
  return [
    ...(loans === undefined
      ? []
      : [
          {
            ...({ part: 'loans.token', operation: 'loanToken', ...loans.token } as const),
            codes: [...codes, loans.errorCode],
          },
        ]),
    ...(payments === undefined
      ? []
      : [{ ...({ part: 'payments.token', operation: 'token', ...payments.token } as const), codes }]),
  ]
}

/** Asked as the profile says, and not with one change; the code of a customer is exchanged at the same address. */
const isOrdinary = ({ form }: Asking, { request }: Exchange): boolean => {
  const sent = new URLSearchParams(request.body?.text ?? '')
  const own = [...sent].filter(([name]) => name !== 'client_id' && name !== 'client_secret')
  return (
    own.length === Object.keys(form).length &&
    Object.entries(form).every(([name, value]) => sent.get(name) === value)
  )
}

const isRefused = ({ response }: Exchange): boolean =>
  response !== undefined && response.status >= 400 && response.status < 500

const errorIn = (exchange: Exchange, { codes }: Asking): unknown =>
  codes.map((path) => fieldOf(jsonOf(exchange), path)).find((code) => code !== undefined)

/** RFC 6749 §5.2 has its codes in small letters; some have them in capitals. */
const blameFor = (code: unknown): Blame | undefined =>
  BLAMED.get(typeof code === 'string' ? code.toLowerCase() : code)

/** Authentication, 7: who refuses this scope is not asked in other words than its own. */
const isOfDocumentedScope = ({ part, form }: Asking, code: unknown): boolean =>
  part === 'loans.token' && form['scope'] === 'PAY_LATER' && /^invalid_scope$/i.test(String(code))

const misfitOf = (asking: Asking, refusal: Exchange): readonly Misfit[] => {
  const code = errorIn(refusal, asking)
  const blame = blameFor(code)
  if (blame === undefined || isOfDocumentedScope(asking, code)) return []
  const { member, expected } = blame
  return [
    {
      key: `${asking.part}.${member}`,
      bound: member === 'form' ? namesIn(asking.form) : asking.credentials,
      expected,
      shown: `each request is refused with the error ${String(code)}`,
      exchange: refusal.id,
    },
  ]
}

/**
 * @param exchanges those of one scenario.
 * @param all those of the run so far: a token that was given once was asked for as the target wants it.
 */
export const misfittingTokenRequests = (
  profile: Profile,
  exchanges: readonly Exchange[],
  all: () => Iterable<Exchange>,
): readonly Misfit[] =>
  askingsOf(profile).flatMap((asking) => {
    const isMeant = (exchange: Exchange): boolean =>
      exchange.operation === asking.operation && isOrdinary(asking, exchange)
    const refusal = exchanges.find((exchange) => isRefused(exchange) && isMeant(exchange))
    if (refusal === undefined) return []
    for (const exchange of all()) if (isTaken(exchange) && isMeant(exchange)) return []
    return misfitOf(asking, refusal)
  })
