import { expect, test } from 'vitest'
import { completed } from './answers.ts'
import { profileText } from './profile-text.ts'
import { openRefusals, settleRefusals } from './recipe-search.ts'
import type { Answers, Recipe } from './answers.ts'
import type { Interviewer } from './questions.ts'

const DOUBT = {
  when: 'button[name=a]',
  pressed: { selector: 'button[name=a]', words: 'Weiter' },
  other: { selector: 'button[name=b]', words: 'Später' },
}

const RECIPE: Recipe = {
  pages: [
    { when: '#pw', fill: { '#pw': '{password}' }, press: 'button' },
    { when: 'button[name=a]', fill: {}, press: 'button[name=a]' },
  ],
  doubts: [DOUBT],
  complete: true,
}

const answers = (): Answers => ({
  ...completed({
    baseUrl: 'https://api.bank.example',
    kind: 'TPP',
    redirectUris: ['https://me.example/callback'],
  }),
  recipe: RECIPE,
})

const answering = (word: string): Interviewer => {
  const unasked = () => Promise.reject(new Error('nobody asks that'))
  return {
    ...{ text: unasked, chooseSome: unasked, confirm: unasked, during: unasked, tell: () => undefined },
    choose: ({ options }) => {
      const chosen = options.find(({ value }) => value === word)
      return chosen === undefined ? unasked() : Promise.resolve(chosen.value)
    },
  }
}

test('a button that may refuse is not guessed: the profile says which key is open, and which buttons there are', () => {
  const [line] = openRefusals(RECIPE)
  expect(line).toContain('TODO authorization.pages.1.refuse')
  expect(line).toContain('if "Später" (button[name=b]) refuses, add refuse: "button[name=b]" to the page')
  expect(profileText(answers(), 'bank.yaml')).toContain(`# ${line ?? ''}`)
})

test.each([
  ['other', 'button[name=a]', 'button[name=b]'],
  ['pressed', 'button[name=b]', 'button[name=a]'],
  ['none', 'button[name=a]', undefined],
])('whoever is asked says which refuses: %s', async (word, press, refuse) => {
  const { recipe } = await settleRefusals(answers(), answering(word))
  expect(recipe?.pages[1]?.press).toBe(press)
  expect(recipe?.pages[1]?.refuse).toBe(refuse)
  expect(recipe?.doubts).toEqual([])
})
