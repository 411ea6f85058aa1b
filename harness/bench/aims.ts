import type { Bench } from './figures.ts'

/** What the project promises about its speed, and whether a bench saw it kept. */

export interface Aim {
  readonly aim: string
  readonly unit: 's' | '×'
  readonly measured: number
  readonly limit: number
  readonly met: boolean
}

const WHOLE_RUN_S = 3
const PROOF_S = 30
const TIMES_UNDICI = 1.5
const TIMES_NEWMAN = 0.5

const under = (aim: string, unit: Aim['unit'], measured: number, limit: number): Aim => ({
  aim,
  unit,
  measured,
  limit,
  met: measured <= limit,
})

export const judgeAims = ({
  wholeRun,
  exchange,
  newman,
  proof,
}: Pick<Bench, 'wholeRun' | 'exchange' | 'newman' | 'proof'>): readonly Aim[] => [
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
  ...(proof === undefined ? [] : [under('all defects and variations', 's', proof.ms / 1000, PROOF_S)]),
]
