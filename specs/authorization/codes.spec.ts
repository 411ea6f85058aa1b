import { check, isUnguessable, NotReached } from '../../harness/check/index.ts'
import { scenario } from '../../harness/session/index.ts'
import type { ObservedLanding } from '../../harness/check/index.ts'
import { AUT } from './requirements.ts'

const series = scenario(
  'grants one after the other',
  { effect: 'consent', as: 'each', authorizations: 4, needs: ['customer'] },
  async ({ app }) => {
    const landings = []
    for (let count = 0; count < 4; count += 1) landings.push(await app.authorize())
    return { landings }
  },
)

const areDistinct = (landings: readonly ObservedLanding[]): void => {
  const earlier = new Set<unknown>()
  for (const { accepted, code } of landings) {
    if (!accepted) throw new NotReached('one of the grants gave no code')
    code.satisfies(!earlier.has(code.value), 'a code that no other grant has given')
    earlier.add(code.value)
  }
}

check(AUT.codesAreDistinct, series, ({ landings }) => areDistinct(landings))

const simultaneous = scenario(
  'grants of two customers at the same moment',
  { effect: 'consent', as: 'any', authorizations: 2, needs: ['customer', 'second-customer'] },
  async ({ app, otherCustomer }) => ({
    landings: await Promise.all([app.authorize(), app.authorize({ customer: otherCustomer })]),
  }),
)

check(AUT.codesAreDistinct, simultaneous, ({ landings }) => areDistinct(landings))

check(AUT.codesDoNotFollowFromEachOther, series, ({ landings }) => {
  const isRepeated = new Set(landings.map(({ code }) => code.value)).size < landings.length
  if (isRepeated) throw new NotReached('a code came twice, or never: codes that repeat follow no pattern')
  isUnguessable(landings.map(({ code, exchange }) => ({ secret: code, at: exchange.sentAt })))
})
