/**
 * The words in which all chapters write their defects: those of the bank's changes, and the conditions and changes that
 * several chapters need.
 */
import { alter, type AnswerOf, type FactsOf, type Past } from '../../harness/bank/changes/alter.ts'
import { production, when, type Change } from '../../harness/bank/changes/change.ts'
import type { Place } from '../../harness/bank/changes/named.ts'

export {
  accept,
  alter,
  refuse,
  replaceRules,
  type AnswerOf,
  type Call,
  type FactsOf,
  type Past,
} from '../../harness/bank/changes/alter.ts'
export {
  answer,
  body,
  field,
  header,
  jsonAnswer,
  membersOf,
  on,
  parsedMembers,
  pathOf,
  read,
  refusal,
  replaceWire,
  reply,
  status,
  without,
  type Answer,
  type Difference,
  type Incoming,
  type Members,
  type MessagePast,
} from '../../harness/bank/changes/answer.ts'
export {
  both,
  every,
  from,
  only,
  production,
  sandbox,
  triedInProduction,
  when,
  type Change,
} from '../../harness/bank/changes/change.ts'
export { defectsIn, defectsOf, each, type Breaks, type Entries } from '../../harness/bank/changes/named.ts'
export type { Defect } from '../../harness/bank/defect.ts'

// ---- Conditions

interface OfAnApplication {
  readonly client?: Pick<FactsOf<'newCode'>['client'], 'kind'>
  readonly grant?: Pick<FactsOf<'accessIsFresh'>['grant'], 'consentId'>
}

/** Whether a request, code or token is that of a TPP. Only a grant to a TPP has a consent. */
export const isOfATpp = ({ client, grant }: OfAnApplication): boolean =>
  client === undefined ? grant?.consentId !== undefined : client.kind === 'TPP'

/** Whether a request, code or token is that of a FAC. */
export const isOfAFac = (facts: OfAnApplication): boolean => !isOfATpp(facts)

/** Whether a form or query has the scope of a TPP: only that has a consent id, after a colon. */
export const hasScopeOfATpp = ({ form, query }: { form: URLSearchParams; query: URLSearchParams }): boolean =>
  (form.get('scope') ?? query.get('scope'))?.includes(':') === true

type DataCall = Pick<FactsOf<'accessIsFresh'>, 'endpoint' | 'variant'>

/** Whether a call is for this operation, in any variant or in this one. */
export const isFor =
  (endpoint: DataCall['endpoint'], variant?: DataCall['variant']) =>
  (facts: Pick<DataCall, 'endpoint'> & Partial<DataCall>): boolean =>
    facts.endpoint === endpoint && (variant === undefined || facts.variant === variant)

// ---- Refusals

type Refusal = FactsOf<'refusalStatus'>

/** Refuses for this reason with another status: in all operations, or only in one. */
export const refuseWith = (error: Refusal['error'], status: number, endpoint?: Refusal['endpoint']) =>
  when(
    (facts: Refusal) => facts.error === error && facts.endpoint === (endpoint ?? facts.endpoint),
    alter({ refusalStatus: status }),
  )

// ---- Places: one sentence is a defect at each of them

/** The same defect everywhere, and in production only: `each([EVERYWHERE, IN_PRODUCTION], change)`. */
export const EVERYWHERE: Place = ['', (change) => change]
export const IN_PRODUCTION: Place = ['in production', (change) => when(production, change)]

// ---- Conditions with a word of their own

/** Only for a TPP. */
export const forATpp =
  <Facts extends OfAnApplication>(change: Change<Facts>): Change<Facts> =>
  (conditions) =>
    change([...conditions, isOfATpp])

/** Only for a FAC. */
export const forAFac =
  <Facts extends OfAnApplication>(change: Change<Facts>): Change<Facts> =>
  (conditions) =>
    change([...conditions, isOfAFac])

export const inProduction = <Facts>(change: Change<Facts>): Change<Facts> => when(production, change)

/** The same defect for one kind of application. Only for changes whose facts have a client or a grant. */
export const FOR_A_TPP: Place = ['for a TPP', (change) => when(isOfATpp as never, change)]
export const FOR_A_FAC: Place = ['for a FAC', (change) => when(isOfAFac as never, change)]

// ---- Access tokens

/** The access tokens that were issued, in their order. */
const issuedTokens = (past: Past<'newAccessToken'>): readonly string[] =>
  past.of('newAccessToken').map((call) => call.answer)

/** Reads the token of data calls in another way; `issued` are the access tokens that the bank knows. */
export const readToken = (
  meant: (
    value: string | undefined,
    issued: readonly string[],
    facts: FactsOf<'bearerToken'>,
    past: Past<'bearerToken'>,
  ) => string | undefined,
): Change<FactsOf<'bearerToken'>> =>
  alter(
    { bearerToken: (value, facts, past) => meant(value, issuedTokens(past), facts, past) },
    'newAccessToken',
  )

/** Serves such a data call as the last caller who had a token that the bank has issued. */
export const serveTheLastCaller = (
  isMeant: (facts: FactsOf<'bearerToken'>, issued: readonly (string | undefined)[]) => boolean,
): Change<FactsOf<'bearerToken'>> =>
  readToken((value, issued, facts, past) =>
    isMeant(facts, issued)
      ? past.of('bearerToken').findLast((call) => call.answer !== undefined && issued.includes(call.answer))
          ?.answer
      : value,
  )

/** Takes an unknown token for that of the last caller. */
export const acceptUnknownTokens = serveTheLastCaller(
  ({ header = '' }, issued) =>
    header.length > 'Bearer '.length && !issued.includes(header.slice('Bearer '.length)),
)

/** Another answer of a rule to data calls with an access token that a refresh gave. */
export const withARefreshedToken = <
  Name extends 'accessIsFresh' | 'accountIsOpen' | 'accountsSeen' | 'pageItems',
>(
  rule: Name,
  other: (facts: FactsOf<Name>, usual: AnswerOf<Name>) => AnswerOf<Name>,
): Change<FactsOf<Name>> => {
  const altered = (usual: AnswerOf<Name>, facts: FactsOf<Name>, past: Past<'newAccessToken'>) =>
    past
      .of('newAccessToken')
      .some((call) => call.answer === facts.token.value && call.facts.grantType === 'refresh_token')
      ? other(facts, usual)
      : usual
  const alterations = { [rule]: altered } as unknown as Parameters<typeof alter<Name, 'newAccessToken'>>[0]
  return alter(alterations, 'newAccessToken')
}

// ---- Basic credentials

/** The two halves of a Basic header; empty strings for any other. The secret may have a colon. */
export const basicIn = (headers: Headers): readonly [clientId: string, secret: string] => {
  const [, encoded = ''] = (headers.get('authorization') ?? '').split(' ')
  const [clientId = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  return [clientId, secret.join(':')]
}

export const basicHeader = (clientId: string, secret: string): string =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
