/**
 * The words in which all chapters write their defects: those of the bank's changes, and the conditions and changes that
 * several chapters need.
 */
import { production, when } from '../../harness/bank/changes/change.ts'
import type { FactsOf } from '../../harness/bank/changes/alter.ts'
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

// ---- Places: one sentence is a defect at each of them

/** The same defect everywhere, and in production only: `each([EVERYWHERE, IN_PRODUCTION], change)`. */
export const EVERYWHERE: Place = ['', (change) => change]
export const IN_PRODUCTION: Place = ['in production', (change) => when(production, change)]
