import { expect, test } from 'vitest'
import { askQuestions, type Prompter } from './questions.ts'
import type { PartialAnswers } from './answers.ts'

/** Everything that is asked, unless options answer it. */
const ANSWERS: Readonly<Record<string, string>> = {
  'Base URL': 'https://api.bank.example',
  'Registered redirect URIs': 'https://client.example/callback',
  'Debtor of payments': 'Anna SK2998010000002600001129',
  'Creditor of payments': 'Ján SK1198010000004000007788',
  'Webhook URL': 'https://me.example/webhook',
}

/** Answers with presets, and chooses every option. */
const prompterInto = (shown: string[]): Prompter => ({
  text({ message, preset, check }) {
    shown.push(message)
    const [, answer = preset ?? ''] = Object.entries(ANSWERS).find(([text]) => message.startsWith(text)) ?? []
    expect(check(answer)).toBeUndefined()
    return Promise.resolve(answer)
  },
  choose({ message, options, preset }) {
    shown.push(message, ...options.flatMap(({ label, hint = '' }) => [label, hint]))
    return Promise.resolve(preset)
  },
  chooseSome({ message, options }) {
    shown.push(message, ...options.flatMap(({ label, hint = '' }) => [label, hint]))
    return Promise.resolve(options.map(({ value }) => value))
  },
  confirm: (_, preset) => Promise.resolve(preset),
  tell: (line) => void shown.push(line),
  withSpinner: (_, work) => work(),
})

const ask = async (given: PartialAnswers = {}): Promise<readonly string[]> => {
  const shown: string[] = []
  await askQuestions(given, { prompter: prompterInto(shown) })
  return shown
}

test('no question contains a name of the program', async () => {
  const shown = await ask()
  expect(shown).toContain('a person, who is sent a link')
  expect(shown.length).toBeGreaterThan(30)
  expect(shown.filter((text) => /\b[a-z]+[A-Z]/.test(text))).toEqual([])
})
