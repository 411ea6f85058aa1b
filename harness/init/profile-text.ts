import { followsRecipe, neededVariables } from './answers.ts'
import { offers, settings, webhooks } from './further-sections.ts'
import { draftProfile } from './problems.ts'
import { profileInput } from './profile-input.ts'
import { openRefusals } from './refusals.ts'
import { renderSection } from './section.ts'
import type { Profile, ProfileInput } from '../profile/schema.ts'
import type { Answers } from './answers.ts'
import type { Section } from './section.ts'

/**
 * A commented profile: what was answered, and as comments what was left at its default.
 * @param file where it will be, as the user named it.
 */
export const profileText = (answers: Answers, file: string): string =>
  sectionsOf(answers, file).map(renderSection).join('\n')

const sectionsOf = (answers: Answers, file: string): readonly Section[] => {
  const input = profileInput(answers)
  const { profile } = draftProfile(answers)
  return [
    head(answers, file),
    { prose: [], values: part(input, 'name', 'baseUrl', 'environment') },
    basePaths(input, profile),
    { prose: APPLICATIONS, values: part(input, 'applications') },
    { prose: CUSTOMERS, values: part(input, 'customers') },
    authorization(answers, input, profile),
    { prose: SCOPES, defaults: { scopes: profile.scopes } },
    { prose: OPERATIONS, defaults: { operations: profile.operations } },
    ...offers(answers, profile),
    webhooks(answers, profile),
    { prose: LEVERS },
    { prose: ALLOW, values: { allow: profile.allow } },
    ...settings(profile),
    ...(input.notApplicable === undefined
      ? []
      : [{ prose: ['What cannot be asked of this bank, and why.'], values: part(input, 'notApplicable') }]),
  ]
}

const part = (input: ProfileInput, ...keys: readonly (keyof ProfileInput)[]): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, input[key]]))

const head = (answers: Answers, file: string): Section => ({
  prose: [
    'The profile of a target: all that its owner has to tell. To look before a run, and to run it:',
    `npm run doctor -- --profile ${file}`,
    `npm test -- --profile ${file}${answers.webhook ? ` --webhook-url ${answers.webhook.url}` : ''}`,
    'Values like env:NAME are read from the environment, so that this file holds no secret:',
    neededVariables(answers).join(', '),
    'A # without a blank behind it stands before a default: take it away, and from the keys above it, to change it.',
  ],
})

const basePaths = (input: ProfileInput, profile: Profile): Section => ({
  prose: ['What the account interface puts behind the base URL, by environment; / for nothing.'],
  ...(input.basePaths === undefined
    ? { defaults: { basePaths: profile.basePaths } }
    : { values: { basePaths: written(profile.basePaths) } }),
})

/** No base path is written as a slash. */
const written = (paths: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(paths).map(([environment, path]) => [environment, path || '/']))

const APPLICATIONS = [
  'The client applications registered at the bank. A second one of a kind makes more checks possible, and so does one',
  'of the other kind: each is an item of its own.',
]

const CUSTOMERS = [
  "The bank's customers who authorize. A second one makes more checks possible, and so do the accounts that are known",
  'of one: accounts: [{ iban: SK2998010000002600001129 }], with bank: other for an account at another bank.',
]

const SCOPES = ['The scope of the account interface.']

const OPERATIONS = [
  'How the bank does what the interface does not show: names that are guessed until a run has met them.',
  'Paths go behind the base path; fields are named by their keys from the root of the JSON, joined by dots.',
]

const LEVERS = [
  'What the bank offers beyond the interface goes into levers, each bound to an HTTP request: to revoke a token, to book',
  'a transaction, to move the clock. Without them some checks are held back. See .github/docs/profiles.md.',
]

const ALLOW = [
  'What may be done to this bank: read, consent, notify, apply (for loans), pay. A request that does more is not sent.',
]

const authorization = (
  { recipe, authorization: kind }: Answers,
  input: ProfileInput,
  profile: Profile,
): Section =>
  !followsRecipe(kind)
    ? { prose: kind === 'person' ? PERSON : TOKENS, values: part(input, 'authorization') }
    : {
        prose: [
          ...PAGES,
          recipe === undefined ? GUESSED : recipe.complete ? FOUND : HALF_FOUND,
          ...(recipe === undefined ? [] : openRefusals(recipe)),
        ],
        values: { authorization: profile.authorization },
      }

const PERSON = [
  'A person authorizes: the run shows the link, and who is to log in and agree. See .github/docs/authorization.md.',
]

const TOKENS = [
  'Tokens that were obtained elsewhere: what needs a token and no more can be judged. Add refreshToken and consentId',
  'where they are known.',
]

const PAGES = [
  "What the customer does on the bank's pages: each page that comes is recognised by the CSS selector at when, what is",
  'to be typed stands at fill, and a button is pressed. The pages may come in any order.',
]
const GUESSED = 'These selectors are guessed: look at the pages of the bank, and change what differs.'
const HALF_FOUND = 'The first page was found at the bank; what comes behind it is guessed: look at the pages.'
const FOUND = 'These selectors were found on the pages of the bank.'
