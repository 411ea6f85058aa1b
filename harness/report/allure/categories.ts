import { Status } from 'allure-js-commons'
import type { Category } from 'allure-js-commons/sdk'
import type { Verdict } from '../../check/verdict.ts'

/** How each verdict looks in the report: its colour, and its category. */

/** A SHOULD that is broken stays green, since it does not break conformance; its category and its tag show it. */
export const STATUS = {
  pass: Status.PASSED,
  fail: Status.FAILED,
  warn: Status.PASSED,
  waived: Status.SKIPPED,
  inconclusive: Status.SKIPPED,
  'not-reached': Status.SKIPPED,
  'not-applicable': Status.SKIPPED,
  'harness-error': Status.BROKEN,
} as const satisfies Record<Verdict, Status>

/** The label that says the verdict in the project's own word. */
export const VERDICT_LABEL = 'verdict'

/** The label of a check that a key of the profile has kept from being judged. */
export const BINDING_LABEL = { name: 'profile', value: 'does not fit' } as const

export const BINDING_CATEGORY = 'configuration: a key of the profile does not fit the target'

/** A passed check needs no category. */
export const CATEGORY_NAMES = {
  fail: 'fail: a MUST is broken',
  'harness-error': 'harness-error: the suite is at fault',
  warn: 'warn: a SHOULD is broken',
  inconclusive: 'inconclusive: neither caught doing wrong nor seen doing right',
  'not-reached': 'not-reached: a prerequisite did not come about',
  waived: 'waived: a declared exception',
  'not-applicable': 'not-applicable: known before the run',
} as const satisfies Partial<Record<Verdict, string>>

const CATEGORIZED = Object.keys(CATEGORY_NAMES) as readonly (keyof typeof CATEGORY_NAMES)[]

/** `categories.json`, by the first word of the message, for report generators that know no labels. */
export const categoryDefinitions = (): Category[] => [
  {
    name: BINDING_CATEGORY,
    matchedStatuses: [Status.SKIPPED],
    messageRegex: '^(not-reached|inconclusive): `[^`]+` of the profile [\\s\\S]*',
  },
  ...CATEGORIZED.map((verdict) => ({
    name: CATEGORY_NAMES[verdict],
    matchedStatuses: [STATUS[verdict]],
    messageRegex: `^${verdict}: [\\s\\S]*`,
  })),
]

/** The same for the generator of this project, by label. */
export const categoryRules = (): readonly {
  readonly name: string
  readonly matchers: { readonly labels: Readonly<Record<string, string>> }
}[] => [
  { name: BINDING_CATEGORY, matchers: { labels: { [BINDING_LABEL.name]: BINDING_LABEL.value } } },
  ...CATEGORIZED.map((verdict) => ({
    name: CATEGORY_NAMES[verdict],
    matchers: { labels: { [VERDICT_LABEL]: verdict } },
  })),
]
