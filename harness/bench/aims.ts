import type { Bench } from './figures.ts'

/** What the project promises about its speed, and whether a bench saw it kept. */

export interface Aim {
  readonly aim: string
  readonly unit: 's' | '×' | 'MB' | 'lost'
  readonly measured: number
  readonly limit: number
  readonly met: boolean
}

const WHOLE_RUN_S = 3
const PROOF_S = 30
const TIMES_UNDICI = 1.5
const TIMES_NEWMAN = 0.5
/** Of a walk ten times as long: linear, with some room for what else the machine does. */
const TIMES_LINEAR = 1.25
const RESIDENT_MB = 200
const FIVE_THOUSAND_S = 1

const under = (aim: string, unit: Aim['unit'], measured: number, limit: number): Aim => ({
  aim,
  unit,
  measured,
  limit,
  met: measured <= limit,
})

export type Measured = Pick<Bench, 'wholeRun' | 'exchange' | 'newman' | 'walks' | 'deliveries' | 'proof'>

/** A transaction of the longest walk, in times of one of the shortest. */
const growth = (walks: Bench['walks']): number => {
  const perTransaction = walks.map(({ ms, transactions }) => ms.median / transactions)
  return (perTransaction.at(-1) ?? Number.NaN) / (perTransaction[0] ?? Number.NaN)
}

const walkAims = (walks: Bench['walks']): readonly Aim[] => {
  const longest = walks.at(-1)
  if (longest === undefined) return []
  const { transactions, residentMb } = longest
  return [
    under(
      `a transaction of ${transactions}, to one of ${walks[0]?.transactions ?? 0}`,
      '×',
      growth(walks),
      TIMES_LINEAR,
    ),
    under(`walking ${transactions} transactions, resident`, 'MB', residentMb.median, RESIDENT_MB),
  ]
}

const deliveryAims = ({ perSecond, sent, lost }: Bench['deliveries']): readonly Aim[] => [
  under('5,000 deliveries to the sink', 's', 5_000 / perSecond.median, FIVE_THOUSAND_S),
  under(`of ${sent} deliveries`, 'lost', lost, 0),
]

export const judgeAims = ({
  wholeRun,
  exchange,
  newman,
  walks,
  deliveries,
  proof,
}: Measured): readonly Aim[] => [
  under('the whole of npm test', 's', wholeRun.command.ms.median / 1000, WHOLE_RUN_S),
  ...exchange.map(({ inFlight, lanes }) =>
    under(
      `an exchange, ${inFlight} in flight, to bare undici`,
      '×',
      lanes.at(-1)?.ratio.median ?? Number.NaN,
      TIMES_UNDICI,
    ),
  ),
  ...newman.map(({ ours, requests, ratio }) =>
    under(`${ours}, ${requests} requests, to newman`, '×', ratio.median, TIMES_NEWMAN),
  ),
  ...walkAims(walks),
  ...deliveryAims(deliveries),
  ...(proof === undefined ? [] : [under('all defects and variations', 's', proof.ms / 1000, PROOF_S)]),
]
