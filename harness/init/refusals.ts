import type { Answers, Recipe } from './answers.ts'
import type { Interviewer } from './interviewer.ts'
import type { Doubt } from './page-recipe.ts'

/** Which of two buttons refuses, where their words do not tell: a person is asked, or told where to say it. */

const READ = 40

const named = ({ words, selector }: Doubt['other']): string =>
  words === '' ? selector : `${JSON.stringify(words.slice(0, READ))} (${selector})`

/** `authorization.pages.1.refuse`, of a recipe that has the page. */
const keyOf = ({ pages }: Recipe, { when }: Doubt): string =>
  `authorization.pages.${pages.findIndex((page) => page.when === when)}.refuse`

/** Sentences for whoever was not asked: one for each page. */
export const openRefusals = (recipe: Recipe): readonly string[] =>
  (recipe.doubts ?? []).map(
    (doubt) =>
      `TODO ${keyOf(recipe, doubt)}: nothing says which button refuses. ${named(doubt.pressed)} is pressed to agree; ` +
      `if ${named(doubt.other)} refuses, add refuse: ${JSON.stringify(doubt.other.selector)} to the page`,
  )

const settled = (recipe: Recipe, doubt: Doubt, word: 'other' | 'pressed' | 'none'): Recipe => {
  const [first, ...others] = recipe.pages.map((page) => {
    if (page.when !== doubt.when || word === 'none') return page
    const [press, refuse] =
      word === 'other'
        ? [doubt.pressed.selector, doubt.other.selector]
        : [doubt.other.selector, doubt.pressed.selector]
    return { ...page, press, refuse }
  })
  const doubts = (recipe.doubts ?? []).filter((each) => each !== doubt)
  return first === undefined ? recipe : { ...recipe, pages: [first, ...others], doubts }
}

/** Asks of each page that leaves a doubt. */
export const settleRefusals = async (answers: Answers, interviewer: Interviewer): Promise<Answers> => {
  let { recipe } = answers
  for (const doubt of recipe?.doubts ?? []) {
    const word = await interviewer.choose({
      message: 'A page has two buttons, and nothing says which of them refuses. Which one does?',
      options: [
        { value: 'other', label: named(doubt.other) },
        { value: 'pressed', label: named(doubt.pressed) },
        { value: 'none', label: 'neither of them' },
      ],
      preset: 'other',
    })
    if (recipe !== undefined) recipe = settled(recipe, doubt, word)
  }
  return recipe === undefined ? answers : { ...answers, recipe }
}
