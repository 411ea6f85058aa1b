import type { Aim, Bench } from './figures.ts'

/** What the project promises about its speed, and whether a bench saw it kept. */

/** Of commands as a user types them, in s. */
const COMMANDS_S: ReadonlyMap<string, number> = new Map([
  ['consent, authorization and tokens', 3],
  ['account information', 4],
  ['the whole', 5],
  ['200 stories of payments', 5],
])
const PAYMENTS_ADD_S = 1
const PROOF_S = 60
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

export type Measured = Pick<Bench, 'parts' | 'exchange' | 'newman' | 'walks' | 'deliveries' | 'proof'>

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

const partAims = ({ commands, paymentsAddMs }: Bench['parts']): readonly Aim[] => [
  ...[...COMMANDS_S].map(([name, limit]) => {
    const { median = Number.NaN } = commands.find((part) => part.name === name)?.ms ?? {}
    return under(`npm test: ${name}`, 's', median / 1000, limit)
  }),
  under('what payments add to it', 's', paymentsAddMs.median / 1000, PAYMENTS_ADD_S),
]

const deliveryAims = ({ perSecond, sent, lost }: Bench['deliveries']): readonly Aim[] => [
  under('5,000 deliveries to the sink', 's', 5_000 / perSecond.median, FIVE_THOUSAND_S),
  under(`of ${sent} deliveries`, 'lost', lost, 0),
]

export const judgeAims = ({
  parts,
  exchange,
  newman,
  walks,
  deliveries,
  proof,
}: Measured): readonly Aim[] => [
  ...partAims(parts),
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
