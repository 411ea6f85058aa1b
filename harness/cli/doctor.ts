import { colorsFor, widthOf } from '../report/terminal/text.ts'
import { renderDay, renderStep, walkDay, type DayStep } from './doctor/day.ts'
import { diagnose } from './doctor/diagnose.ts'
import { parseDoctorOptions, type DoctorOptions } from './doctor/options.ts'
import { EXIT, interruptions } from './exit.ts'
import type { ExaminedTarget } from '../connection/first-contact/examination.ts'

/** `npm run doctor -- --profile FILE`: examines a target before a run, and reports problems. */

const run = async (
  { target: options, json, day, login }: DoctorOptions,
  signal: AbortSignal,
): Promise<number> => {
  const print = (text: string): void => {
    if (!json) console.log(text)
  }
  const { target, findings, count, exitCode } = await diagnose(options, {
    env: process.env,
    signal,
    print,
    levels: ['ok', 'notice', 'warning'],
    // The first customer logs in on the day.
    logins: ({ customers }) => (login ? customers.slice(day ? 1 : 0) : []),
  })
  print(`\n${count}`)
  const { baseUrl } = target
  // The day shows more of what a login has found.
  const isPossible = findings.every(({ code, level }) => level !== 'error' || code === 'TGT-LOGIN-2')
  const steps = day && isPossible ? await tryOut(target, signal, json) : []
  if (json)
    console.log(JSON.stringify({ schema: 1, baseUrl, findings, ...(day && { day: steps }) }, undefined, 2))
  else if (day && !isPossible) console.log('\n--day was left out: correct the errors first')
  return exitCode === EXIT.ok && steps.some(({ result }) => result === 'does not fit')
    ? EXIT.configuration
    : exitCode
}

const tryOut = async (
  target: ExaminedTarget,
  signal: AbortSignal,
  json: boolean,
): Promise<readonly DayStep[]> => {
  const colors = colorsFor(process.stdout)
  const width = widthOf(process.stdout)
  if (!json) console.log("\nA customer's day:")
  const steps = await walkDay(target, {
    signal,
    onStep: (step) => {
      if (!json) console.log(renderStep(step, colors, width))
    },
  })
  if (!json) console.log(renderDay(steps))
  return steps
}

export const main = async (argv: readonly string[]): Promise<number> => {
  const options = parseDoctorOptions(argv)
  const signal = interruptions()
  return run(options, signal).catch((error: unknown) => {
    if (signal.aborted) return EXIT.interrupted
    throw error
  })
}
