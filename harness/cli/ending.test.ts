import { execa } from 'execa'
import { expect, test } from 'vitest'
import { ROOT } from '../plan/root.ts'

/** @param work the promise of an exit code. */
const endingOf = async (work: string) => {
  const module = JSON.stringify(new URL('./ending.ts', import.meta.url).href)
  const program = `
    import { endWith } from ${module}
    process.exitCode = undefined
    await endWith(${work}, () => {
      console.log('forsaken')
      return 5
    })`
  const { exitCode, stdout } = await execa(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: ROOT, reject: false },
  )
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
