import { check, isRefusedBetween } from '../../harness/check/index.ts'
import { change, scenario } from '../../harness/session/index.ts'
import type { Change } from '../../harness/session/index.ts'
import { AUT } from './requirements.ts'

const PARAMETERS = [
  'client_id',
  'response_type',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/** The same value again: what is wrong is that it stands there twice. */
const again =
  (name: string): Change =>
  (request) =>
    change.queryTwice(name, new URL(request.url).searchParams.get(name) ?? '')(request)

const repetitions = scenario(
  'authorization requests that repeat a parameter',
  { effect: 'consent', as: 'any', authorizations: 10, needs: ['customer'] },
  async ({ app }) => {
    const before = await app.authorize()
    const repeated = []
    for (const name of PARAMETERS)
      repeated.push({ name, landing: await app.authorize({ change: again(name) }) })
    const anotherState = await app.authorize({ change: change.queryTwice('state', 'another') })
    return {
      before,
      repeated: [...repeated, { name: 'state', landing: anotherState }],
      after: await app.authorize(),
    }
  },
)

check(AUT.repeatedParameterIsRefused, repetitions, ({ before, repeated, after }) => {
  for (const { name, landing } of repeated)
    isRefusedBetween({ before, changed: landing, after }, `it has the parameter ${name} twice`)
})
