import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { confirm } from './confirmation.ts'
import { ConfigurationError } from '../../profile/configuration-error.ts'

const QUESTION = ['Example Bank: this run acts in production.', '  payments         3 initiated']

/** The input that a user types after the question. */
const answering = async (keys: string) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  output.on('data', (chunk: Buffer) => {
    const before = shown
    shown += chunk.toString()
    if (!before.includes('Type yes') && shown.includes('Type yes')) input.write(keys)
  })
  const outcome = await confirm(QUESTION, { input, output }).catch((error: unknown) => error)
  return { outcome, shown }
}

test('the word confirms, after the question was printed', async () => {
  const { outcome, shown } = await answering('yes\r')
  expect(outcome).toBe(true)
  expect(shown.startsWith(QUESTION.join('\n'))).toBe(true)
})

test.each(['y', 'no', ''])('%j does not confirm, and the result is printed', async (word) => {
  const { outcome } = await answering(`${word}\r`)
  expect(outcome).toBeInstanceOf(ConfigurationError)
  expect((outcome as Error).message).toContain(`expected 'yes', received '${word}'; nothing was sent`)
})

test('Ctrl-C does not confirm', async () => {
  const { outcome, shown } = await answering('\u0003')
  expect(outcome).toBe(false)
  expect(shown).toContain('Nothing was sent.')
})
