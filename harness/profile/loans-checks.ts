import { nearest } from './nearest.ts'
import { unknownPlaceholders } from './placeholders.ts'
import type { CrossChecks } from './configuration-error.ts'
import type { LoansProfile } from './schema/loans.ts'
import type { Profile } from './schema.ts'

/** What no single key of the loan API can tell. */
export const loanChecks = ({ loans, applications }: Profile): CrossChecks =>
  loans === undefined
    ? { problems: [], warnings: [] }
    : {
        problems: [
          ...acting(
            loans.application,
            applications.map(({ name }) => name),
          ),
          ...bodies(loans),
          ...ambiguous('loans.scenario.values', loans.scenario.values, 'scenario'),
          ...ambiguousCauses(loans),
        ],
        warnings: [],
      }

const acting = (name: string | undefined, names: readonly string[]): readonly string[] => {
  if (name === undefined || names.includes(name)) return []
  const near = nearest(name, names)
  const advice =
    near === undefined
      ? `expected one of ${names.map((each) => JSON.stringify(each)).join(', ')}`
      : `did you mean ${JSON.stringify(near)}?`
  return [
    `\`loans.application\` names ${JSON.stringify(name)}, which \`applications\` does not have; ${advice}`,
  ]
}

const bodies = ({ precalculation, submission, scenario }: LoansProfile): readonly string[] => [
  ...unknownPlaceholders('loans.precalculation.body', precalculation.body, ['amount']),
  ...unknownPlaceholders('loans.precalculation.capacity', precalculation.capacity, [
    'income',
    'expenses',
    'children',
  ]),
  ...unknownPlaceholders('loans.submission.body', submission.body, ['amount', 'orderNo']),
  ...(scenario.kind === 'page'
    ? unknownPlaceholders('loans.scenario.pages', scenario.pages, ['scenario'])
    : scenario.kind === 'call'
      ? unknownPlaceholders('loans.scenario.body', scenario.body, ['scenario'])
      : unknownPlaceholders('loans.scenario.patch', scenario.patch, ['scenario'])),
]

/** Two things under one word cannot be told apart. */
const ambiguous = (key: string, words: Readonly<Record<string, string>>, what: string): readonly string[] => {
  const entries = Object.entries(words)
  return entries.flatMap(([name, word], at) => {
    const first = entries.findIndex(([, other]) => other === word)
    return first < at
      ? [
          `\`${key}.${name}\` is the same as \`${key}.${entries[first]?.[0] ?? ''}\`; each ${what} has its own`,
        ]
      : []
  })
}

const ambiguousCauses = ({ precalculation: { cause } }: LoansProfile): readonly string[] => {
  if (cause === undefined) return []
  const { tooLow, tooHigh, insufficient } = cause
  return ambiguous('loans.precalculation.cause', { tooLow, tooHigh, insufficient }, 'cause')
}
