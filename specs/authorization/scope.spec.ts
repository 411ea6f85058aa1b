import { check, endOf, NotReached, scenario } from '../../harness/check/index.ts'
import { AUT } from './requirements.ts'

const unknownWord = scenario(
  'a scope with a word that no bank knows',
  { effect: 'consent', as: 'each', authorizations: 3, needs: ['customer'] },
  async ({ app, profile }) => {
    const { accounts } = profile.scopes
    const consentId = await app.consent()
    const scope = consentId === undefined ? accounts : `${accounts}:${consentId}`
    const word = `unknown-${crypto.randomUUID()}`
    return {
      word,
      before: await app.attemptGrant({ scope }),
      changed: await app.attemptGrant({ scope: `${scope} ${word}` }),
      after: await app.attemptGrant(),
    }
  },
)

check(AUT.unknownScopeIsNotGranted, unknownWord, ({ word, ...attempts }) => {
  const [before, after] = [endOf(attempts.before), endOf(attempts.after)]
  if (!before.accepted || !after.accepted) throw new NotReached('the scope without the word was not granted')
  const { exchange } = attempts.changed
  if (exchange?.accepted !== true) return endOf(attempts.changed).isRefused('no bank knows this word')
  const scope = exchange.body.field('scope')
  const words = typeof scope.value === 'string' ? scope.value.split(' ') : undefined
  scope.satisfies(words !== undefined && !words.includes(word), 'the granted scope, without the unknown word')
})
