import { check, isUnguessable, NotReached, scenario } from '../../harness/check/index.ts'
import { AUT } from './requirements.ts'

const series = scenario(
  'grants one after the other',
  { effect: 'consent', as: 'any', authorizations: 4, needs: ['customer'] },
  async ({ app }) => {
    const landings = []
    for (let count = 0; count < 4; count += 1) landings.push(await app.authorize())
    return { landings }
  },
)

check(AUT.codesAreDistinct, series, ({ landings }) => {
  const earlier = new Set<unknown>()
  for (const { accepted, code } of landings) {
    if (!accepted) throw new NotReached('one of the grants gave no code')
    code.satisfies(!earlier.has(code.value), 'a code that no grant before has given')
    earlier.add(code.value)
  }
})

check(AUT.codesDoNotFollowFromEachOther, series, ({ landings }) => {
  const isRepeated = new Set(landings.map(({ code }) => code.value)).size < landings.length
  if (isRepeated) throw new NotReached('a code came twice, or never: codes that repeat follow no pattern')
  isUnguessable(landings.map(({ code, exchange }) => ({ secret: code, at: exchange.sentAt })))
})
