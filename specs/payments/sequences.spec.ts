import { check, draws, note } from '../../harness/check/index.ts'
import { property, scenario } from '../../harness/session/index.ts'
import type { Observed } from '../../harness/check/index.ts'
import { MOVES, PAYMENT, type Move } from './model.ts'
import { accountOf, keepsToTheModel, describeSequence } from './model-walk.ts'
import { PAY } from './requirements.ts'
import {
  actOut,
  AS_TIME_PASSES,
  MOST_AUTHORIZATIONS,
  MOST_PAYMENTS,
  NEIGHBOURS,
  sequences,
} from './sequence.ts'
import type { Action } from './sequence.ts'

const options = {
  effect: 'pay',
  as: 'any',
  authorizations: MOST_AUTHORIZATIONS,
  needs: ['payments', 'customer', 'refusal'],
} as const

const sequence = property(
  'a sequence of several payments',
  { ...options, payments: { initiated: MOST_PAYMENTS, submitted: MOST_PAYMENTS } },
  sequences,
  actOut,
  { render: describeSequence },
)

check(PAY.statesFollowTheTable, sequence, keepsToTheModel)

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

type Acted = { readonly actions: readonly Observed<Action>[] }

draws(PAYMENT, sequence, ({ actions }) => accountOf(actions).moves)

/** The moves that are not shown by the interface, and that a sequence shows, in words; nothing where it shows none. */
const movesNotShown =
  (isMeant: (move: Move) => boolean) =>
  ({ actions }: Acted): string | undefined => {
    const moves = new Set(accountOf(actions).moves)
    const shown = MOVES.filter((move) => moves.has(move.id) && move.ground === 'not-shown' && isMeant(move))
    return shown.length === 0 ? undefined : shown.map(({ from, to }) => `${from} to ${to}`).join(', ')
  }

note(
  PAY.movesIntoCompletion,
  sequence,
  movesNotShown(({ to }) => to === 'ACSC'),
)
note(
  PAY.movesOutOfPending,
  sequence,
  movesNotShown(({ from }) => from === 'PDNG'),
)
