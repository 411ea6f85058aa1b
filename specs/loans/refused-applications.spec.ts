import {
  asSubmission,
  check,
  jsonIn,
  loanStatus,
  NotReached,
  type Exchange,
} from '../../harness/check/index.ts'
import { scenario, type Loans } from '../../harness/session/index.ts'
import { hasStatus, isNoApplicationBetween, LARGEST, SMALLEST } from './applications.ts'
import { applying } from '../shared/scenario-options.ts'
import { LOA } from './requirements.ts'

/** Whether a refused application was carried out all the same: its refusal, or the ids around it, may show its id. */

/** Every string and number of a JSON value, as text. */
const leavesOf = (json: unknown): readonly string[] => {
  if (typeof json === 'string' || typeof json === 'number') return [String(json)]
  if (typeof json !== 'object' || json === null) return []
  return Object.values(json).flatMap(leavesOf)
}

const segmentsOf = (location: string): readonly string[] =>
  new URL(location, 'http://bank.example').pathname.split('/').map(decodeURIComponent)

/** The values of an answer that may be an id: those of its body, and the segments of its header Location. */
const valuesIn = ({ response }: Exchange): readonly string[] => {
  if (response === undefined) return []
  const locations = response.headers.filter(([name]) => name.toLowerCase() === 'location')
  return [
    ...leavesOf(jsonIn(response.body.text)),
    ...locations.flatMap(([, location]) => segmentsOf(location)),
  ]
}

const WHOLE_NUMBER = /^\d{1,15}$/
/** A shorter value may be equal to the id of another application by chance. */
const SHORTEST_ID = 8
const ID = /^[\w.~+/=-]{1,128}$/

const requestText = ({ request: { url, body, headers } }: Exchange): string =>
  [url, body?.text ?? '', ...headers.map(([, value]) => value)].join('\n')

/** The values that only this one of two equal refusals has, and the request has not. */
const ownValuesOf = (refusal: Exchange, other: Exchange): readonly string[] => {
  const shared = new Set(valuesIn(other))
  const sent = requestText(refusal)
  return valuesIn(refusal).filter(
    (value) =>
      ID.test(value) &&
      value.length >= SHORTEST_ID &&
      !WHOLE_NUMBER.test(value) &&
      !shared.has(value) &&
      !sent.includes(value),
  )
}

/**
 * The whole numbers between two ids, if the bank counts its applications: as many as were refused between the two, so
 * that each may be the id of one of them.
 */
const numbersBetween = (before: string, after: string, refused: number): readonly string[] => {
  if (!WHOLE_NUMBER.test(before) || !WHOLE_NUMBER.test(after)) return []
  const [first, last] = [Number(before), Number(after)]
  if (last - first - 1 !== refused) return []
  return Array.from({ length: refused }, (_, at) =>
    String(first + at + 1).padStart(before.length === after.length ? before.length : 0, '0'),
  )
}

const AMOUNTS = [SMALLEST - 1, LARGEST + 1]
const MOST_VALUES = 12

const refusedTwice = async ({ submit }: Loans, amount: number) =>
  [await submit({ amount }), await submit({ amount })] as const

const refused = scenario('applications that are refused for their amount', applying(2), async (session) => {
  const loans = await session.loans()
  const { profile, submit, status, idOf } = loans
  const before = await submit()
  const refusals: Exchange[] = []
  const values: string[] = []
  for (const amount of AMOUNTS) {
    const [first, second] = await refusedTwice(loans, amount)
    refusals.push(first, second)
    values.push(...ownValuesOf(first, second), ...ownValuesOf(second, first))
  }
  const after = await submit()
  values.push(...numbersBetween(idOf(before), idOf(after), refusals.length))
  const statuses: Exchange[] = []
  for (const value of values.slice(0, MOST_VALUES)) statuses.push(await status(value))
  return { profile, before, refusals, after, statuses }
})

check(LOA.refusedApplicationDoesNotExist, refused, ({ profile, before, refusals, after, statuses }) => {
  if (refusals.some((answer) => asSubmission(answer, profile).accepted))
    throw new NotReached('an application out of bounds was accepted, so that there is no refusal')
  isNoApplicationBetween({ before, changed: refusals, after }, profile, 'its amount is out of bounds')
  for (const answer of statuses)
    loanStatus(answer, profile).satisfies(
      !hasStatus(answer, profile),
      'nothing: the application with this id was refused for its amount',
    )
})
