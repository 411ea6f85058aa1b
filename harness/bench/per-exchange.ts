import { join } from 'node:path'
import { Agent } from 'undici'
import { openJournal } from '../evidence/journal.ts'
import { recorder } from '../evidence/recorder.ts'
import { bareUndici, harness, WHOLE_HARNESS } from './lanes.ts'
import { figureOf, ratioOf, rotated } from './statistics.ts'
import type { Lane, Mode } from './figures.ts'
import type { Rig, Way } from './lanes.ts'
import type { Rehearsed, Whom } from './repertoire.ts'

/** The time of one exchange: the harness to bare undici, against the same bank, in turns. */

/** Passes over the repertoire in one measurement: long enough that a collection of garbage falls into each. */
const PASSES = 40
const IN_FLIGHT = 10

/** These measurements are short: more of them cost little, and noise is what they have most of. */
const ROUNDS_PER_ROUND = 4

interface Measured {
  readonly us: number
  readonly cpuUs: number
}

const sameAnswers = (way: Way, got: readonly number[], expected: readonly number[]): void => {
  if (got.join() !== expected.join())
    throw new Error(`${way.name} was answered ${got.join()}, the rehearsal ${expected.join()}`)
}

const measure = async (way: Way, inFlight: number, expected: readonly number[]): Promise<Measured> => {
  let left = PASSES
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      sameAnswers(way, await way.pass(), expected)
    }
  }
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: inFlight }, work))
  const us = (performance.now() - startedAt) * 1000
  const { user, system } = process.cpuUsage(cpu)
  const exchanges = PASSES * expected.length
  return { us: us / exchanges, cpuUs: (user + system) / exchanges }
}

const measureMode = async (
  ways: readonly Way[],
  inFlight: number,
  rounds: number,
  expected: readonly number[],
): Promise<Mode> => {
  const measured = new Map<Way, Measured[]>(ways.map((way) => [way, []]))
  for (const way of ways) await measure(way, inFlight, expected)
  for (let round = 0; round < rounds; round += 1)
    for (const way of rotated(ways, round)) measured.get(way)?.push(await measure(way, inFlight, expected))
  const [first = []] = measured.values()
  const lanes = [...measured].map(([{ name }, values]) => laneOf(name, values, first))
  return { inFlight, exchangesPerRound: PASSES * expected.length, lanes }
}

const laneOf = (name: string, values: readonly Measured[], first: readonly Measured[]): Lane => {
  const us = values.map((value) => value.us)
  const cpuUs = values.map((value) => value.cpuUs)
  return {
    name,
    us: figureOf(us),
    ratio: ratioOf(
      us,
      first.map((value) => value.us),
    ),
    cpuUs: figureOf(cpuUs),
    cpuRatio: ratioOf(
      cpuUs,
      first.map((value) => value.cpuUs),
    ),
  }
}

/** Each way goes through one layer more than the one before it; the last is the harness as it is. */
const waysOf = (rig: Rig): readonly Way[] => [
  bareUndici(rig),
  harness('harness: recorder alone', {}, rig),
  harness('… and secrets read from answers', { reading: true }, rig),
  harness('… and the journal', { reading: true, journal: true }, rig),
  harness('… and redaction: as it is', WHOLE_HARNESS, rig),
]

export const measurePerExchange = async (
  whom: Whom,
  repertoire: readonly Rehearsed[],
  scratch: string,
  rounds: number,
): Promise<readonly Mode[]> => {
  const [bare, agent] = [new Agent(), new Agent()]
  const journal = openJournal(join(scratch, 'evidence.jsonl'))
  const rig: Rig = { ...whom, repertoire, bare, recorded: agent.compose(recorder), journal }
  const expected = repertoire.map(({ exchange }) => exchange.response?.status ?? 0)
  const ways = waysOf(rig)
  const times = rounds * ROUNDS_PER_ROUND
  const modes = [
    await measureMode(ways, 1, times, expected),
    await measureMode(
      [bareUndici(rig), harness('harness, as it is', WHOLE_HARNESS, rig)],
      IN_FLIGHT,
      times,
      expected,
    ),
  ]
  journal.close()
  await Promise.all([bare.close(), agent.close()])
  return modes
}
