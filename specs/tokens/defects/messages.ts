/** Token requests and their answers, by what they ask for. */
import { answer, read, refusal, when, type Incoming } from '../../shared/changes.ts'

type OfAForm = Pick<Incoming, 'form'>

/** A request without a grant_type is read as a code exchange. */
export const isRefresh = ({ form }: OfAForm): boolean => form.get('grant_type') === 'refresh_token'
export const isExchange = (asked: OfAForm): boolean => !isRefresh(asked)

type Change = Parameters<typeof answer>[1]
type Reading = Parameters<typeof read>[1]

/** Other answers to code exchanges that carry tokens. */
export const exchangeAnswer = (change: Change) => when(isExchange, answer('token', change))

/** Other answers to refreshes that carry tokens. */
export const renewalAnswer = (change: Change) => when(isRefresh, answer('token', change))

/** Other refusals of code exchanges. */
export const exchangeRefusal = (change: Change) => when(isExchange, refusal('token', change))

/** Another reading of code exchanges; the past has the codes that browsers were sent back with. */
export const readExchange = (change: Reading) => when(isExchange, read('token', change, 'login', 'authorize'))

/** Another reading of refreshes. */
export const readRefresh = (change: Reading) => when(isRefresh, read('token', change))
