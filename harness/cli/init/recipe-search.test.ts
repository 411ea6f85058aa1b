import { expect, test } from 'vitest'
import { withDefaults } from './answers.ts'
import { profileText } from './profile-text.ts'
import { describeUnknownRefusals, askForRefusals } from './recipe-search.ts'
import type { Answers, Recipe } from './answers.ts'
import type { Prompter } from './prompter.ts'

const UNKNOWN_REFUSAL = {
  when: 'button[name=a]',
  pressed: { selector: 'button[name=a]', text: 'Weiter' },
  other: { selector: 'button[name=b]', text: 'Später' },
}

const RECIPE: Recipe = {
  pages: [
    { when: '#pw', fill: { '#pw': '{password}' }, press: 'button' },
    { when: 'button[name=a]', fill: {}, press: 'button[name=a]' },
  ],
  unknownRefusals: [UNKNOWN_REFUSAL],
  complete: true,
}

const answers = (): Answers => ({
  ...withDefaults({
    baseUrl: 'https://api.bank.example',
    kind: 'TPP',
    redirectUris: ['https://me.example/callback'],
  }),
  recipe: RECIPE,
})

const answering = (word: string): Prompter => {
  const unasked = () => Promise.reject(new Error('this question is not expected'))
  return {
    text: unasked,
    chooseSome: unasked,
    confirm: unasked,
    withSpinner: unasked,
    tell: () => undefined,
    choose: ({ options }) => {
      const chosen = options.find(({ value }) => value === word)
      return chosen === undefined ? unasked() : Promise.resolve(chosen.value)
    },
  }
}

test('a refuse button is not guessed: the profile contains a TODO with its key and the two buttons', () => {
  const [line] = describeUnknownRefusals(RECIPE)
  expect(line).toContain('TODO authorization.pages.1.refuse')
  expect(line).toContain('if "Später" (button[name=b]) refuses, add refuse: "button[name=b]" to the page')
  expect(profileText(answers(), 'bank.yaml')).toContain(`# ${line ?? ''}`)
})

test.each([
  ['other', 'button[name=a]', 'button[name=b]'],
  ['pressed', 'button[name=b]', 'button[name=a]'],
  ['none', 'button[name=a]', undefined],
])('the answer to the question selects the refuse button: %s', async (word, press, refuse) => {
  const { recipe } = await askForRefusals(answers(), answering(word))
  expect(recipe?.pages[1]?.press).toBe(press)
  expect(recipe?.pages[1]?.refuse).toBe(refuse)
  expect(recipe?.unknownRefusals).toEqual([])
})
