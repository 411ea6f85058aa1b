import { expect, test } from 'vitest'
import { seedData } from '../../bank/seed-data.ts'
import { startBank } from '../../bank/server.ts'
import { askQuestions } from './questions.ts'
import type { Prompter } from './prompter.ts'
import { probeBank, type Probe } from './discovery.ts'

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
  text({ message, preset, example = '', check }) {
    shown.push(message, example)
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

const ask = async (probe?: Probe): Promise<readonly string[]> => {
  const shown: string[] = []
  await askQuestions(
    {},
    { prompter: prompterInto(shown), ...(probe && { probe: () => Promise.resolve(probe) }) },
  )
  return shown
}

test('no question contains a name of the program', async () => {
  const shown = await ask()
  expect(shown).toContain('a person, who is sent a link')
  expect(shown.length).toBeGreaterThan(30)
  expect(shown.filter((text) => /\b[a-z]+[A-Z]/.test(text))).toEqual([])
})

test('an answer can be changed: the questions before it are not asked again, and those after it are', async () => {
  const shown: string[] = []
  const prompter = prompterInto(shown)
  const asked: string[] = []
  let isBack = true
  const { given } = await askQuestions(
    {},
    {
      probe: () => Promise.resolve({ reached: false, reason: 'nothing listens there' }),
      prompter: {
        ...prompter,
        confirm: () => Promise.resolve(true),
        text(question) {
          asked.push(question.message)
          if (question.message.startsWith('Base URL'))
            return Promise.resolve(asked.length === 1 ? 'https://wrong.example' : 'https://right.example')
          // From the name, back over the probe and the environment to the base URL.
          if (!question.message.startsWith('Name of the bank') || !isBack) return prompter.text(question)
          isBack = false
          expect(question.check('<')).toBeUndefined()
          return Promise.resolve('<')
        },
        choose(question) {
          const goesBack = question.message === 'Environment' && asked.length === 2
          return goesBack ? Promise.resolve('<' as never) : prompter.choose(question)
        },
      },
    },
  )
  expect(given).toMatchObject({ baseUrl: 'https://right.example', environment: 'sandbox' })
  expect(asked.slice(0, 4).map((message) => message.split(' ', 2).join(' '))).toEqual([
    'Base URL:',
    'Name of',
    'Base URL:',
    'Name of',
  ])
})

test('the time zone and the refusals can be gone back to, and are not asked if options say them', async () => {
  const shown: string[] = []
  const prompter = prompterInto(shown)
  const zones = ['Europe/Bratislava', 'Europe/Prague']
  let isBack = true
  const interview = {
    prompter: {
      ...prompter,
      text: (question: Parameters<Prompter['text']>[0]) => {
        if (!question.message.includes('time zone')) return prompter.text(question)
        expect(question.preset).toBe('UTC')
        expect(question.check('Bratislava')).toBe(
          'expected a time zone of the IANA database such as Europe/Bratislava, and got "Bratislava"',
        )
        return Promise.resolve(zones.shift() ?? '')
      },
      choose: <Value extends string>(question: Parameters<typeof prompter.choose<Value>>[0]) => {
        if (!question.message.includes('refuse')) return prompter.choose(question)
        const answer = isBack ? '<' : 'page'
        isBack = false
        return Promise.resolve(answer as Value)
      },
    },
  }
  const { given } = await askQuestions({}, interview)
  expect(given).toMatchObject({ timeZone: 'Europe/Prague', refusals: 'page' })
  expect(await askQuestions({ timeZone: 'Europe/Riga', refusals: 'json' }, { prompter })).toMatchObject({
    given: { timeZone: 'Europe/Riga', refusals: 'json' },
  })
  expect(shown.filter((text) => text.includes('time zone'))).toEqual([])
})

test('at the first question there is nothing to go back to', async () => {
  const shown: string[] = []
  const prompter = prompterInto(shown)
  await askQuestions(
    {},
    {
      prompter: {
        ...prompter,
        text(question) {
          if (question.message.startsWith('Base URL')) expect(question.check('<')).toContain('expected')
          return prompter.text(question)
        },
      },
    },
  )
})

test('the example of a debtor is an account of the reference bank, if that is the target', async () => {
  const bank = await startBank()
  const probe = await probeBank({ baseUrl: bank.url }, new AbortController().signal).finally(bank.close)
  const shown = await ask(probe)
  const debtors = seedData.customers.flatMap(({ name, accounts }) =>
    accounts.map(({ iban }) => `${name} ${iban}`),
  )
  expect(debtors).toContain(shown[shown.findIndex((text) => text.startsWith('Debtor of payments')) + 1])
})

test('the example of a debtor is invented for another bank', async () => {
  const shown = await ask()
  expect(shown[shown.findIndex((text) => text.startsWith('Debtor of payments')) + 1]).toMatch(
    /^Anna Nováková SK/,
  )
})
