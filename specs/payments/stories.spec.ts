import { check, draws, note, property } from '../../harness/check/index.ts'
import type { Observed } from '../../harness/check/index.ts'
import { MOVES, PAYMENT } from './model.ts'
import { accountOf, keepsToTheModel, tellStory } from './model-walk.ts'
import { PAY } from './requirements.ts'
import { actOut, MOST_AUTHORIZATIONS, MOST_PAYMENTS, stories, storiesInTime } from './story.ts'
import type { Deed } from './story.ts'

const COSTS = {
  effect: 'pay',
  as: 'any',
  authorizations: MOST_AUTHORIZATIONS,
  payments: { initiated: MOST_PAYMENTS, submitted: MOST_PAYMENTS },
} as const

const inTime = property(
  'a story of payments in which time passes',
  { ...COSTS, needs: ['payments', 'customer', 'refusal', 'clock'] },
  storiesInTime,
  actOut,
  tellStory,
)

/** For a target whose clock nobody can move. */
const ofAMoment = property(
  'a story of payments',
  { ...COSTS, needs: ['payments', 'customer', 'refusal'] },
  stories,
  actOut,
  tellStory,
)

const movesIn = ({ deeds }: { readonly deeds: readonly Observed<Deed>[] }): readonly string[] =>
  accountOf(deeds).moves

const isUndisclosed = (move: string): boolean =>
  MOVES.some(({ id, ground }) => id === move && ground === 'undisclosed')

for (const story of [inTime, ofAMoment]) {
  check(PAY.statesFollowTheTable, story, keepsToTheModel)
  draws(PAYMENT, story, movesIn)
}
