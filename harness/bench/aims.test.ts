import { expect, test } from 'vitest'
import { judgeAims } from './aims.ts'
import { figureOf } from './statistics.ts'
import type { Measured } from './aims.ts'
import type { Bench } from './figures.ts'
import type { PartName } from './parts.ts'

const lane = (name: string, times: number): Bench['exchange'][number]['lanes'][number] => ({
  name,
  us: figureOf([100 * times]),
  ratio: figureOf([times]),
  cpuUs: figureOf([50]),
  cpuRatio: figureOf([9]),
})

const walk = (transactions: number, ms: number, residentMb: number): Bench['walks'][number] => ({
  transactions,
  ms: figureOf([ms]),
  residentMb: figureOf([residentMb]),
})

const GOOD: Pick<Measured, 'walks' | 'deliveries'> = {
  walks: [walk(10, 1, 10), walk(100, 12.5, 200)],
  deliveries: { sent: 9, lost: 0, perSecond: figureOf([5_000]), cpuUs: figureOf([1]) },
}

const part = (name: PartName, ms: number): Bench['parts']['commands'][number] => ({
  ...{ name, checks: 1, exchanges: 1 },
  ms: figureOf([ms]),
})

/** @param late by how many ms each command takes longer than is aimed at. */
const partsOf = (late = 0, paymentsAdd = 1_000): Bench['parts'] => ({
  commands: [
    part('the whole', 5_000 + late),
    part('consent, authorization and tokens', 3_000 + late),
    part('200 stories of payments', 5_000 + late),
    part('account information', 4_000 + late),
    part('one requirement', 60_000),
  ],
  paymentsAddMs: figureOf([paymentsAdd]),
})

const figures = (times: number, toNewman: number, parts = partsOf()): Measured => ({
  parts,
  exchange: [
    { inFlight: 1, exchangesPerRound: 1, lanes: [lane('bare', 1), lane('part', 9), lane('whole', times)] },
  ],
  ...GOOD,
  newman: [
    {
      ours: 'the whole run',
      requests: 100,
      oursMs: figureOf([1]),
      newmanMs: figureOf([1]),
      ratio: figureOf([toNewman]),
    },
  ],
})

/** The long walks and the deliveries, where these are good. */
const OTHERS = [true, true, true, true]

const metBy = (measured: Measured): readonly boolean[] => judgeAims(measured).map(({ met }) => met)

/** The commands, and what payments add. */
const COMMANDS = [true, true, true, true, true]

test('an aim that is just reached is met', () => {
  expect(metBy(figures(1.5, 0.5))).toEqual([...COMMANDS, true, true, ...OTHERS])
})

test('each aim is missed on its own', () => {
  expect(metBy(figures(1.51, 0.5))).toEqual([...COMMANDS, false, true, ...OTHERS])
  expect(metBy(figures(1.5, 0.51))).toEqual([...COMMANDS, true, false, ...OTHERS])
  expect(metBy(figures(1, 0, partsOf(1))).slice(0, 5)).toEqual([false, false, false, false, true])
  expect(metBy(figures(1, 0, partsOf(0, 1_001))).slice(0, 5)).toEqual([true, true, true, true, false])
})

test('a command that was not measured meets no aim', () => {
  const none = { commands: [], paymentsAddMs: figureOf([]) }
  expect(metBy(figures(1, 0, none)).slice(0, 5)).toEqual([false, false, false, false, false])
})

test('a walk that does not grow linearly, or grows large, misses its aim', () => {
  const walks = [walk(10, 1, 10), walk(100, 12.6, 201)]
  expect(metBy({ ...figures(1, 0), walks }).slice(7)).toEqual([false, false, true, true])
})

test('a slow sink, and one that loses anything, misses its aim', () => {
  const deliveries = { ...GOOD.deliveries, lost: 1, perSecond: figureOf([4_999]) }
  expect(metBy({ ...figures(1, 0), deliveries }).slice(7)).toEqual([true, true, false, false])
})

test('the harness as it is counts, and not one of its layers', () => {
  expect(judgeAims(figures(1.2, 0.1))[5]?.measured).toBe(1.2)
})

test('a figure that rests on nothing meets no aim', () => {
  expect(
    metBy({ ...figures(1, Number.NaN), exchange: [{ inFlight: 1, exchangesPerRound: 0, lanes: [] }] }),
  ).toEqual([...COMMANDS, false, false, ...OTHERS])
})

test('the proof has an aim where it was measured', () => {
  const proof = { ms: 60_001, trials: 2, defects: 1, variations: 1, trialsPerSecond: 1 }
  expect(judgeAims({ ...figures(1, 0), proof }).at(-1)).toEqual({
    aim: 'all defects and variations',
    unit: 's',
    measured: 60.001,
    limit: 60,
    met: false,
  })
})
