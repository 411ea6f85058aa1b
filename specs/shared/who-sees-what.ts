import { attemptOf, check, headerOf, held, inWholeRun } from '../../harness/check/index.ts'
import type { ObservedExchange, WholeRun } from '../../harness/check/index.ts'
import { isIban, type Scenario } from '../../harness/session/index.ts'

/** Who may see what: an id that only others were answered stands in no answer of the run, wherever in it. */

interface Whose {
  /** What a message calls such an id. */
  readonly name: string
  /** To whom it was answered, if that is known. */
  readonly holderOf: (answer: ObservedExchange) => string | number | undefined
  /** The ids that an answer gives to its holder. */
  readonly idsIn: (answer: ObservedExchange) => readonly unknown[]
  readonly isJudged?: (answer: ObservedExchange) => boolean
}

/** Short ids and numbers may be equal by chance, and anybody may be paid under an IBAN. */
const isUnmistakable = (id: unknown): id is string =>
  typeof id === 'string' && /^(?=.*[a-z])[^[].{7}/i.test(id) && !isIban(id)

/** What somebody has sent may be repeated to them. */
const isSent = ({ request: { url, headers, body } }: ObservedExchange, id: string): boolean =>
  [url, body?.text, ...headers.map(([, value]) => value)].some(
    (sent) => sent?.includes(id) === true || sent?.includes(encodeURIComponent(id)) === true,
  )

/** Judges that no answer has an id of others. @param anchor where two of them surely act. */
export const checkWhoSeesWhat = (
  row: Parameters<typeof check>[0],
  anchor: Scenario,
  operations: Parameters<typeof inWholeRun>[1],
  whoseIn: (run: WholeRun) => Whose,
): void => {
  const answers = inWholeRun(anchor, operations).each((run) => {
    const { holderOf, idsIn, name, isJudged = () => true } = whoseIn(run)
    const holders = new Map<string, Set<string | number>>()
    const all = run.exchanges.flatMap((answer) => {
      const holder = holderOf(answer)
      return holder === undefined ? [] : [{ answer, holder, name }]
    })
    const given = all.flatMap((one) => idsIn(one.answer).map((id) => ({ id, holder: one.holder })))
    for (const { id, holder } of given)
      if (isUnmistakable(id)) holders.set(id, (holders.get(id) ?? new Set()).add(holder))
    const isGiven = given.some(({ id }) => id !== undefined)
    if (!isGiven || new Set(all.map(({ holder }) => holder)).size < 2) return []
    const isForeign = (id: string, holder: string | number): boolean => holders.get(id)?.has(holder) === false
    return all
      .filter(({ answer }) => isJudged(answer))
      .map((one) => ({ ...one, ids: one.answer.strings.filter((id) => isForeign(id, one.holder)) }))
  }, 'fewer than two of them were answered')
  check(row, answers, ({ answer, ids, name }) => {
    if (ids.some((id) => !isSent(answer, id))) answer.discloses(name)
    held()
  })
}

/** The application that sent a request, by its credentials; or by its token, if the same scenario was given it for these. */
export const applicationOf = ({ exchanges }: WholeRun): Whose['holderOf'] => {
  const tokens = new Map<string, string | number>()
  const holderOf: Whose['holderOf'] = (answer) => {
    const { headers, body } = answer.request
    const [scheme, credentials = ''] = (headerOf(headers, 'Authorization') ?? '').split(' ')
    if (scheme === 'Basic') return credentials.split(':')[0]
    if (scheme === 'Bearer') return tokens.get(`${attemptOf(answer)} ${credentials}`)
    return new URLSearchParams(body?.text).get('client_id') ?? undefined
  }
  for (const answer of exchanges) {
    if (!['token', 'loanToken'].includes(answer.operation) || !answer.accepted) continue
    const holder = holderOf(answer)
    const token = answer.body.field('access_token').value
    if (holder !== undefined && typeof token === 'string') tokens.set(`${attemptOf(answer)} ${token}`, holder)
  }
  return holderOf
}
