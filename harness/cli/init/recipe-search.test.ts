import { expect, test } from 'vitest'
import { withDefaults } from './answers.ts'
import { profileText } from './profile-text.ts'
import { describeUnknownRefusals } from './recipe-search.ts'
import type { Recipe } from './answers.ts'

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
  accounts: [],
}

test('a refuse button is not guessed: the profile contains a TODO with its key and the two buttons', () => {
  const [line] = describeUnknownRefusals(RECIPE)
  expect(line).toContain('TODO authorization.pages.1.refuse')
  expect(line).toContain('if "Später" (button[name=b]) refuses, add refuse: "button[name=b]" to the page')
  const text = profileText({ ...withDefaults({}), recipe: RECIPE }, 'bank.yaml')
  expect(text.replaceAll('\n# ', ' ')).toContain(line)
})
