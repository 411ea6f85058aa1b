import { expect, test } from 'vitest'
import { PROVOCATIONS, withDefaults } from './answers.ts'
import { askAccounts, askQuestions, type Progress } from './questions.ts'
import type { PageProposal } from './page-recipe.ts'
import type { Probe } from './discovery.ts'
import type { Prompter } from './prompter.ts'

/** What is typed, by the first words of the question; choices are those that are marked. */
const TYPED: Readonly<Record<string, string>> = {
  'Base URL': 'https://api.bank.example',
  'Registered redirect URIs': 'https://a.example/ https://b.example/ result-screen',
}

const present = {
  reached: true,
  firstVariant: 'present',
  secondVariant: 'present',
  payments: 'present',
  loans: 'present',
  testHooks: 'present',
} as const satisfies Probe

interface Interview {
  readonly progress: Progress
  /** The messages of the questions, in their order. */
  readonly asked: readonly string[]
  readonly shown: readonly string[]
}

/** @param answerTo an answer to a question, for that time; undefined for the usual one. */
const interview = async (
  given: Progress['given'],
  answerTo: (message: string, time: number) => string | undefined = () => undefined,
  probe: Probe = present,
): Promise<Interview> => {
  const asked: string[] = []
  const shown: string[] = []
  const answer = (message: string, usual: string): Promise<string> => {
    asked.push(message)
    return Promise.resolve(answerTo(message, asked.filter((each) => each === message).length) ?? usual)
  }
  const prompter: Prompter = {
    async text({ message, preset = '', check }) {
      const usual = Object.entries(TYPED).find(([words]) => message.startsWith(words))?.[1]
      const typed = await answer(message, usual ?? preset)
      expect(check(typed)).toBeUndefined()
      return typed
    },
    choose({ message, options, preset }) {
      shown.push(message, ...options.flatMap(({ label, hint }) => [label, hint]))
      return answer(message, preset)
    },
    show: (line) => void shown.push(line),
    withSpinner: (_, work) => work(),
  }
  const env = { BANK_CLIENT_ID: 'x', BANK_CLIENT_SECRET: 'x', BANK_USERNAME: 'x', BANK_PASSWORD: 'x' }
  const progress = await askQuestions(given, { prompter, env, probe: () => Promise.resolve(probe) })
  return { progress, asked, shown }
}

test('no question contains a name of the program, and Enter leaves out what is optional', async () => {
  const { progress, asked, shown } = await interview({})
  expect(asked).toHaveLength(10)
  expect([...asked, ...shown].filter((text) => /\b[a-z]+[A-Z]/.test(text))).toEqual([])
  expect(progress).toMatchObject({
    given: {
      environment: 'sandbox',
      kind: 'TPP',
      redirectUri: ['https://a.example/', 'https://b.example/'],
      delivery: ['redirect', 'result-screen'],
      authorization: 'pages',
      furtherApplications: [],
      furtherCustomers: [],
      payments: false,
      loans: true,
      testHooks: true,
    },
    login: 'all',
  })
})

test('what options say is not asked, nor what does not answer', async () => {
  const given = { environment: 'production', kind: 'FAC', authorization: 'person' } as const
  const absent = { payments: 'absent', loans: 'absent', testHooks: 'absent' } as const
  const { asked } = await interview(given, undefined, { ...present, ...absent })
  expect(asked.map((message) => message.split(/[ :]/, 2).join(' '))).toEqual([
    'Base URL',
    'Registered redirect',
    'Further applications,',
  ])
})

test('texts between commas are applications and customers, and whoever names a debtor is asked for the rest', async () => {
  const applications = ['FAC A B https://a.example/ result-screen', 'TPP C D https://c.example/']
  const typed: Readonly<Record<string, string>> = {
    'Further applications': applications.join(', '),
    'Further customers': 'E F SK9098010000002900004444 212',
    'Payments answer': 'Anna SK2998010000002600001129',
    'Name and IBAN of the account that is paid': 'Ján SK1198010000004000007788',
  }
  const { progress } = await interview(
    {},
    (message) => Object.entries(typed).find(([words]) => message.startsWith(words))?.[1],
  )
  expect(progress.given).toMatchObject({
    furtherApplications: applications,
    furtherCustomers: ['E F SK9098010000002900004444 212'],
    debtor: 'Anna SK2998010000002600001129',
    creditor: 'Ján SK1198010000004000007788',
    provocations: PROVOCATIONS,
  })
})

test('the accounts that a login found are offered, and those that are typed are taken', async () => {
  const asked: (string | undefined)[] = []
  const prompter = {
    text: ({ preset, check }: Parameters<Prompter['text']>[0]) => {
      asked.push(preset, check('SK29 98'), check('SK2998010000002600001129 other 34'))
      return Promise.resolve('SK2998010000002600001129 other 34')
    },
  } as Partial<Prompter> as Prompter
  const found = ['SK2998010000002600001129', 'SK1198010000004000007788']
  const pages: [PageProposal] = [{ when: 'form', fill: {}, press: 'button' }]
  const recipe = { pages, unknownRefusals: [], complete: true, accounts: found }
  expect(await askAccounts({ ...withDefaults({}), recipe }, prompter)).toEqual([
    'SK2998010000002600001129 other 34',
  ])
  expect(asked).toEqual([found.join(' '), expect.stringContaining('SK29'), undefined])
})

test('an answer can be changed: the questions before it are not asked again, and those after it are', async () => {
  const { progress, asked } = await interview({}, (message, time) => {
    if (message.startsWith('Kind')) return time === 1 ? '<' : undefined
    if (!message.startsWith('Base URL')) return undefined
    return time === 1 ? 'https://wrong.example' : 'https://right.example'
  })
  expect(progress.given.baseUrl).toBe('https://right.example')
  expect(asked.map((message) => message.split(/[ :]/, 1).join()).slice(0, 5)).toEqual([
    'Environment',
    'Base',
    'Kind',
    'Base',
    'Kind',
  ])
})

test('at the first question there is nothing to go back to', async () => {
  const { asked } = await interview({}, (message, time) =>
    message === 'Environment' && time === 1 ? '<' : undefined,
  )
  expect(asked.filter((message) => message === 'Environment')).toHaveLength(2)
})

test('a base URL at which nothing answers is asked again, and can be kept', async () => {
  const { progress, asked } = await interview({}, undefined, {
    reached: false,
    reason: 'nothing listens there',
  })
  expect(asked.filter((message) => message.startsWith('Base URL'))).toHaveLength(2)
  expect(progress).toMatchObject({ given: { baseUrl: 'https://api.bank.example' }, login: 'not' })
})
