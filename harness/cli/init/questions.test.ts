import { expect, test } from 'vitest'
import { askQuestions, type Progress } from './questions.ts'
import type { Probe } from './discovery.ts'
import type { Prompter } from './prompter.ts'

/** What is typed, by the first words of the question; choices are those that are marked. */
const TYPED: Readonly<Record<string, string>> = {
  'Base URL': 'https://api.bank.example',
  'Registered redirect URIs': 'https://a.example/ https://b.example/ result-screen',
}

const present: Probe = {
  reached: true,
  firstVariant: 'present',
  secondVariant: 'present',
  payments: 'present',
  loans: 'present',
}

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

test('there are six questions, and none contains a name of the program', async () => {
  const { progress, asked, shown } = await interview({})
  expect(asked).toHaveLength(6)
  expect([...asked, ...shown].filter((text) => /\b[a-z]+[A-Z]/.test(text))).toEqual([])
  expect(progress).toMatchObject({
    given: {
      environment: 'sandbox',
      kind: 'TPP',
      redirectUri: ['https://a.example/', 'https://b.example/'],
      delivery: ['redirect', 'result-screen'],
      authorization: 'pages',
      loans: true,
    },
    login: 'all',
  })
})

test('what options say is not asked, nor whether to check loans that do not answer', async () => {
  const given = { environment: 'production', kind: 'FAC', authorization: 'person' } as const
  const { asked } = await interview(given, undefined, { ...present, loans: 'absent' })
  expect(asked.map((message) => message.split(/[ :]/, 2).join(' '))).toEqual([
    'Base URL',
    'Registered redirect',
  ])
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
