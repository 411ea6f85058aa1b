import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { expect, onTestFinished, test, vi } from 'vitest'
import { handleSignals } from './exit.ts'
import { built, ROOT } from '../plan/root.ts'

const EXIT = JSON.stringify(pathToFileURL(built('harness/cli/exit.ts')).href)

/** @param work the promise of an exit code. */
const endingOf = async (work: string) => {
  const program = `
    import { endWith } from ${EXIT}
    process.exitCode = undefined
    await endWith(${work}, () => {
      console.log('forsaken')
      return 5
    })`
  const { exitCode, stdout } = await execa(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: ROOT,
    reject: false,
  })
  return { exitCode, stdout }
}

test.each([
  ['comes to a verdict', 'Promise.resolve(0)', 0, ''],
  ['comes to another one', 'Promise.resolve(1)', 1, ''],
  ['waits for what never comes', 'new Promise(() => undefined)', 5, 'forsaken'],
  [
    'waits in vain while somebody calls it a success',
    'new Promise(() => (process.exitCode = 0))',
    5,
    'forsaken',
  ],
  ['is ended with a code of its own', 'new Promise(() => process.exit(3))', 3, ''],
])('a program whose work %s', async (_, work, exitCode, stdout) => {
  expect(await endingOf(work)).toEqual({ exitCode, stdout })
})

const pressedAt = (...times: readonly number[]): readonly string[] => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const received: string[] = []
  const press = handleSignals({
    onFirst: () => received.push('in order'),
    onSecond: (signal) => received.push(`at once, by ${signal}`),
  })
  const startedAt = Date.now()
  for (const time of times) {
    vi.advanceTimersByTime(startedAt + time - Date.now())
    press('SIGINT')
  }
  return received
}

test('the first signal interrupts the run, a later one ends the process', () => {
  expect(pressedAt(0)).toEqual(['in order'])
  expect(pressedAt(0, 500)).toEqual(['in order', 'at once, by SIGINT'])
})

test('the signals of the terminal and of npm for one press count as one', () => {
  expect(pressedAt(10, 10, 11, 509)).toEqual(['in order'])
  expect(pressedAt(10, 10, 509, 1_200)).toEqual(['in order', 'at once, by SIGINT'])
})

/** A program that ignores signals and prints them. */
const STUBBORN = `
import { interruptions } from ${EXIT}
setInterval(() => undefined, 1_000)
interruptions().addEventListener('abort', () => console.log('in order'))
console.log('ready')
`

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a program that takes its time dies of the second %s',
  async (signal) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', STUBBORN], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const received: string[] = []
    let pressing: NodeJS.Timeout | undefined
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      received.push(text)
      // Signals shortly after the first one count as the same press.
      pressing ??= setInterval(() => child.kill(signal), 100)
    })
    const ended = await once(child, 'close')
    clearInterval(pressing)
    expect(ended).toEqual([null, signal])
    expect(received.join('')).toBe('ready\nin order\n')
  },
)
