import { check, isRefusedBetween, NotReached, note } from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { ObservedLanding } from '../../harness/check/index.ts'
import { AUT } from './requirements.ts'

const STATE = 'aB c+d&e=%2Bf#g/h?i"j<k>'

const responseTypes = scenario(
  'authorization requests for something else than a code',
  { effect: 'consent', as: 'any', authorizations: 5, needs: ['customer'] },
  async ({ app, random }) => ({
    before: await app.authorize(),
    missing: await app.authorize({ state: STATE, change: change.noQuery('response_type') }),
    unknown: await app.authorize({
      state: STATE,
      change: change.query('response_type', `type-${random.uuid()}`),
    }),
    token: await app.authorize({ change: change.query('response_type', 'token') }),
    after: await app.authorize(),
  }),
)

check(AUT.missingResponseTypeIsRefused, responseTypes, ({ before, missing, after }) => {
  isRefusedBetween({ before, changed: missing, after }, 'it has no response_type')
})

check(AUT.unknownResponseTypeIsRefused, responseTypes, ({ before, unknown, after }) => {
  isRefusedBetween({ before, changed: unknown, after }, 'nobody has defined its response_type')
})

check(AUT.responseTypeTokenGivesNoToken, responseTypes, ({ before, token, after }) => {
  if (!before.accepted || !after.accepted) throw new NotReached('the requests for a code were not granted')
  token.fragment('access_token').isAbsent()
  token.parameter('access_token').isAbsent()
})

/** A refusal that the bank sends to the client, rather than to show it. */
const isSent = (refused: ObservedLanding): boolean => {
  if (refused.accepted) throw new NotReached('the request was granted, so there is no refusal to judge')
  refused.isRefused('its response_type is not code')
  return refused.outcome === 'redirect'
}

check(AUT.unknownResponseTypeIsNamed, responseTypes, ({ unknown }) => {
  if (isSent(unknown)) unknown.parameter('error').equals('unsupported_response_type')
})

check(AUT.denialReturnsTheState, responseTypes, ({ missing, unknown }) => {
  if (isSent(missing)) missing.parameter('state').equals(STATE)
  if (isSent(unknown)) unknown.parameter('state').equals(STATE)
})

const described = (landing: ObservedLanding): string => {
  const { exchange, outcome, names } = landing
  const error = landing.parameter('error').value
  const code = typeof error === 'string' ? `, error ${error}` : ''
  return `${outcome}, status ${Number(exchange.status.value)}${code}${names.length > 0 ? ` (${names.join(', ')})` : ''}`
}

note(AUT.answerToARefusedAuthorization, responseTypes, ({ missing, unknown }) =>
  [`no response_type: ${described(missing)}`, `an unknown one: ${described(unknown)}`].join('; '),
)
