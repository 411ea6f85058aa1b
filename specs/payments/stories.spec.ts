import { check, draws, note } from '../../harness/check/index.ts'
import { property, scenario } from '../../harness/session/index.ts'
import type { Observed } from '../../harness/check/index.ts'
import { MOVES, PAYMENT, type Move } from './model.ts'
import { accountOf, keepsToTheModel, tellStory } from './model-walk.ts'
import { PAY } from './requirements.ts'
import { actOut, AS_TIME_PASSES, MOST_AUTHORIZATIONS, MOST_PAYMENTS, NEIGHBOURS, stories } from './story.ts'
import type { Deed } from './story.ts'

const options = {
  effect: 'pay',
  as: 'any',
  authorizations: MOST_AUTHORIZATIONS,
  needs: ['payments', 'customer', 'refusal'],
} as const

const story = property(
  'a story of several payments',
  { ...options, payments: { initiated: MOST_PAYMENTS, submitted: MOST_PAYMENTS } },
  stories,
  actOut,
  tellStory,
)

check(PAY.statesFollowTheTable, story, keepsToTheModel)

/** Random sequences seldom deny a payment while others wait, and only a bank with a fixed clock sees these at one moment. */
const neighbours = scenario(
  'a payment beside one that is denied and one that is rejected',
  { ...options, payments: { initiated: 3, submitted: 1 } },
  (session) => actOut(session, NEIGHBOURS),
)

check(PAY.statesFollowTheTable, neighbours, keepsToTheModel)

/** Random sequences seldom have both a payment that is completed, or waits for its date, and an hour or a day after that. */
const days = scenario(
  'a payment that is executed and one that waits for its date, as days pass',
  { ...options, payments: { initiated: 2, submitted: 2 } },
  (session) => actOut(session, AS_TIME_PASSES),
)

check(PAY.statesFollowTheTable, days, keepsToTheModel)

type Acted = { readonly deeds: readonly Observed<Deed>[] }

draws(PAYMENT, story, ({ deeds }) => accountOf(deeds).moves)

/** The undisclosed moves that a story shows, in words; nothing where it shows none. */
const undisclosedMoves =
  (isMeant: (move: Move) => boolean) =>
  ({ deeds }: Acted): string | undefined => {
    const moves = new Set(accountOf(deeds).moves)
    const shown = MOVES.filter((move) => moves.has(move.id) && move.ground === 'undisclosed' && isMeant(move))
    return shown.length === 0 ? undefined : shown.map(({ from, to }) => `${from} to ${to}`).join(', ')
  }

note(
  PAY.movesIntoCompletion,
  story,
  undisclosedMoves(({ to }) => to === 'ACSC'),
)
note(
  PAY.movesOutOfPending,
  story,
  undisclosedMoves(({ from }) => from === 'PDNG'),
)
