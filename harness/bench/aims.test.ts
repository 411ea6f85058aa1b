import { expect, test } from 'vitest'
import { judgeAims } from './aims.ts'
import { figureOf } from './statistics.ts'
import type { Bench } from './figures.ts'

type Figures = Pick<Bench, 'wholeRun' | 'exchange' | 'newman' | 'proof'>

const lane = (name: string, times: number): Bench['exchange'][number]['lanes'][number] => ({
  name,
  us: figureOf([100 * times]),
  ratio: figureOf([times]),
  cpuUs: figureOf([50]),
  cpuRatio: figureOf([9]),
})

const figures = (runMs: number, times: number, toNewman: number): Figures => ({
  wholeRun: {
    conclusion: 'conforms',
    exitCode: 0,
    checks: 1,
    exchanges: 1,
    command: { ms: figureOf([runMs]), phases: [] },
    program: { ms: figureOf([runMs]) },
  },
  exchange: [
    { inFlight: 1, exchangesPerRound: 1, lanes: [lane('bare', 1), lane('part', 9), lane('whole', times)] },
  ],
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

const metBy = (measured: Figures): readonly boolean[] => judgeAims(measured).map(({ met }) => met)

test('an aim that is just reached is met', () => {
  expect(metBy(figures(3000, 1.5, 0.5))).toEqual([true, true, true])
})

test('each aim is missed on its own', () => {
  expect(metBy(figures(3001, 1.5, 0.5))).toEqual([false, true, true])
  expect(metBy(figures(3000, 1.51, 0.5))).toEqual([true, false, true])
  expect(metBy(figures(3000, 1.5, 0.51))).toEqual([true, true, false])
})

test('the harness as it is counts, and not one of its layers', () => {
  expect(judgeAims(figures(1, 1.2, 0.1))[1]?.measured).toBe(1.2)
})

test('a figure that rests on nothing meets no aim', () => {
  expect(
    metBy({ ...figures(1, 1, Number.NaN), exchange: [{ inFlight: 1, exchangesPerRound: 0, lanes: [] }] }),
  ).toEqual([true, false, false])
})

test('the proof has an aim where it was measured', () => {
  const proof = { ms: 30_001, trials: 2, defects: 1, variations: 1, trialsPerSecond: 1 }
  expect(judgeAims({ ...figures(1, 1, 0), proof }).at(-1)).toEqual({
    aim: 'all defects and variations',
    unit: 's',
    measured: 30.001,
    limit: 30,
    met: false,
  })
})
