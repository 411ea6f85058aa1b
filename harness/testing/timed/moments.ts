import * as fc from 'fast-check'
import { OUTPUT } from '../../evidence/output.ts'

/** A moment of a run, recognised by a fact and never by the time that has passed. */
export type Moment =
  /** The run has sent its request number n: it has arrived, it was processed, or it was answered. */
  | {
      readonly on: 'request'
      readonly n: number
      readonly phase: (typeof PHASES)[number]
    }
  /** The run writes this file. */
  | { readonly on: 'file'; readonly name: string }
  /** The run prints its text number n. */
  | { readonly on: 'output'; readonly n: number }

export const PHASES = ['arrived', 'processed', 'answered'] as const

/** Files in the order in which a run writes them. */
const FILES = [
  'run.owner',
  OUTPUT.marker,
  OUTPUT.log,
  OUTPUT.evidence,
  OUTPUT.allureResults,
  `${OUTPUT.report}.draft`,
  OUTPUT.report,
  OUTPUT.junit,
  OUTPUT.jobSummary,
  OUTPUT.allureReport,
]

/** @param requests how many requests an undisturbed run sends. */
const momentsOf = (requests: number): fc.Arbitrary<Moment> =>
  fc.oneof(
    {
      weight: 7,
      arbitrary: fc.record({
        on: fc.constant('request' as const),
        n: fc.integer({ min: 1, max: requests }),
        phase: fc.constantFrom(...PHASES),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ on: fc.constant('file' as const), name: fc.constantFrom(...FILES) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ on: fc.constant('output' as const), n: fc.integer({ min: 1, max: 8 }) }),
    },
  )

const WAYS = ['SIGHUP', 'SIGTERM', 'SIGINT', 'two signals', 'closed terminal'] as const

/** How a run is ended early: the process is killed, a signal, two at once, or its terminal is closed. */
export type Way = 'SIGKILL' | (typeof WAYS)[number]

export const randomMoments = (count: number, requests: number, seed: number): readonly Moment[] =>
  fc.sample(fc.noShrink(momentsOf(requests)), { numRuns: count, seed })

export const randomWays = (count: number, seed: number): readonly Way[] =>
  fc.sample(fc.noShrink(fc.constantFrom(...WAYS)), { numRuns: count, seed })

export const renderMoment = (moment: Moment): string => {
  switch (moment.on) {
    case 'request':
      return `request ${moment.n} ${moment.phase}`
    case 'file':
      return `${moment.name} is written`
    case 'output':
      return `output ${moment.n}`
  }
}
