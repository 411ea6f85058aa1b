import { describe, expect, test } from 'vitest'
import { withSeed, randomUUID } from '../bank/random.ts'
import { variations } from '../bank/variations/index.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { tryWithDefect, type Shown } from './hiding.ts'
import { dialectOf, loadDefects } from './selection.ts'
import type { Defect, Variation } from '../bank/defect.ts'
import type { TrialOptions } from './trial.ts'

const [catalogue, defects] = await Promise.all([loadCatalogue(), loadDefects()])

const defectOf = (id: string): Defect => {
  const defect = defects.find((one) => one.id === id)
  if (defect === undefined) throw new Error(`no defect has the id ${id}`)
  return defect
}

const shownOf = async (
  defect: Defect,
  variation?: string | Variation,
  options: Partial<TrialOptions> = {},
): Promise<Shown> => {
  const breaks = defect.breaks.map(({ id }) => id)
  const bank = typeof variation === 'string' ? variations.find(({ id }) => id === variation) : variation
  const { shown } = await tryWithDefect(
    catalogue,
    { defect, breaks, bank: bank === undefined ? {} : { variation: bank } },
    { socket: false, seed: 42, runsOf: () => 4, only: breaks, ...options },
  )
  return shown
}

test('within a seed the random values repeat, also when two seeds alternate', async () => {
  const draw = (seed: string) =>
    withSeed(seed, async () => {
      const first = randomUUID()
      await Promise.resolve()
      return [first, randomUUID()]
    })
  const [one, other, again] = await Promise.all([draw('a'), draw('b'), draw('a')])
  expect(again).toEqual(one)
  expect(new Set([...one, ...other]).size).toBe(4)
  expect(randomUUID()).not.toBe(randomUUID())
})

describe('a defect in a bank that differs from the reference bank', () => {
  test('is caught where it can be observed', async () => {
    expect(await shownOf(defectOf('a-refused-consent-request-is-answered-with-its-credentials'))).toEqual({
      caught: ['CON-22'],
      hidden: [],
      notReached: [],
      reported: [],
      missed: [],
    })
  })

  test('is hidden where no answer differs', async () => {
    const shown = await shownOf(
      defectOf('a-refused-consent-request-is-answered-with-its-credentials'),
      'refusals-outside-of-oauth-and-loans-have-no-body',
    )
    expect(shown).toEqual({ caught: [], hidden: ['CON-22'], notReached: [], reported: [], missed: [] })
  })

  test('is reported where its finding is about a key of the profile', async () => {
    const shown = await shownOf(defectOf('post-v1-consents-ignores-the-basic-header'), undefined, {
      dialect: dialectOf('generated-1'),
    })
    expect(shown).toEqual({ caught: [], hidden: [], notReached: [], reported: ['CON-04'], missed: [] })
  })

  test('is not reached where the check passes without it neither', async () => {
    const shown = await shownOf(
      defectOf('a-state-is-sent-back-without-the-blanks-at-its-ends'),
      'every-result-is-shown-on-the-result-screen',
    )
    expect(shown).toEqual({ caught: [], hidden: [], notReached: ['AUT-06'], reported: [], missed: [] })
  })

  test('is missed where an answer differs, and no check says so', async () => {
    const defect: Defect = {
      id: 'another-header',
      title: 'Each answer has a header that no requirement mentions.',
      breaks: [{ id: 'CON-04' }],
      wire: (next) => async (request) => {
        const response = await next(request)
        response.headers.set('x-bank', 'wrong')
        return response
      },
    }
    expect((await shownOf(defect)).missed).toEqual(['CON-04'])
  })
})

/** Grants, webhooks, ends of tokens, payments and loans. */
const EACH_KIND = ['ACC-20', 'TOK-59', 'WEB-10', 'REF-11', 'PAY-68', 'LOA-05']

test('a change that changes nothing is hidden, whatever a scenario does', async () => {
  const breaks = EACH_KIND.map((id) => ({ id }))
  const idle: Defect = { id: 'idle', title: 'Nothing is changed.', breaks, rules: {}, wire: (next) => next }
  expect(await shownOf(idle, 'json-objects-have-further-members-and-responses-a-header')).toEqual({
    caught: [],
    hidden: EACH_KIND,
    notReached: [],
    reported: [],
    missed: [],
  })
})
