import { placeholdersOf } from '../profile/placeholders.ts'
import { fieldOf } from '../session/answer.ts'
import { fill } from '../session/payments-body.ts'
import { placeOf } from './parts.ts'
import { isRefusedForWhatItSays, isTaken } from './requests.ts'
import type { Exchange } from '../evidence/exchange.ts'
import type { Misfit } from '../check/misfit.ts'
import type { LoansProfile } from '../profile/loans.ts'
import type { Profile } from '../profile/schema.ts'

/**
 * The words by which a scenario of the loan sandbox is selected are not shown: one of them that the target has always
 * refused, where it took others, or all of them that it has refused, may be another word there.
 */

type Scenario = Exclude<LoansProfile['scenario'], { readonly kind: 'page' }>
type Name = keyof Scenario['values']

/** Where the word is sent; on pages, the recipe says by itself that there is no such button. */
const sentWith = (
  scenario: LoansProfile['scenario'],
): { readonly part: string; readonly template: unknown } | undefined => {
  if (scenario.kind === 'call') return { part: 'loans.scenario', template: scenario.body }
  if (scenario.kind === 'parameter') return { part: 'loans.submission', template: scenario.patch }
  return undefined
}

const jsonIn = ({ request }: Exchange): unknown => {
  try {
    return JSON.parse(request.body?.text ?? '')
  } catch {
    return undefined
  }
}

/** Which of the words a request carries. */
const nameIn = (exchange: Exchange, template: unknown, values: Scenario['values']): Name | undefined => {
  const [place] = placeholdersOf(template)
  if (place === undefined) return undefined
  const at = place.at.join('.')
  const sent = fieldOf(jsonIn(exchange), at)
  return (Object.keys(values) as Name[]).find(
    (name) => fieldOf(fill(template, { scenario: values[name] }), at) === sent,
  )
}

/** @param exchanges those of one scenario. @param all those of the run so far. */
export const misfittingScenarioWords = (
  profile: Profile,
  exchanges: readonly Exchange[],
  all: () => Iterable<Exchange>,
): readonly Misfit[] => {
  const { loans } = profile
  const sending = loans && sentWith(loans.scenario)
  if (loans === undefined || sending === undefined) return []
  const { part, template } = sending
  const { values } = loans.scenario
  const told = (exchange: Exchange): Name | undefined =>
    placeOf(profile, exchange)?.part.key === part ? nameIn(exchange, template, values) : undefined
  const refusals = new Map(
    exchanges.flatMap((exchange) => {
      const name = isRefusedForWhatItSays(exchange) ? told(exchange) : undefined
      return name === undefined ? [] : [[name, exchange] as const]
    }),
  )
  for (const exchange of refusals.size === 0 ? [] : all()) {
    const name = isTaken(exchange) ? told(exchange) : undefined
    if (name !== undefined) refusals.delete(name)
  }
  return [...refusals].map(([name, { id, response }]) => ({
    ...{ key: `loans.scenario.values.${name}`, bound: values[name], expected: 'scenario of the target' },
    shown: `each request with it is answered ${response?.status ?? 0}`,
    exchange: id,
  }))
}
