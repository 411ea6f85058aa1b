import { followsRecipe, neededVariables } from './answers.ts'
import { draftProfile } from './problems.ts'
import { profileInput } from './profile-input.ts'
import { openRefusals } from './recipe-search.ts'
import { renderSection } from './yaml-section.ts'
import type { Profile, ProfileInput } from '../../profile/schema.ts'
import type { Answers } from './answers.ts'
import type { Section } from './yaml-section.ts'

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
    { prose: TEST_HOOKS },
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
    : { values: { basePaths: withSlash(profile.basePaths) } }),
})

/** An empty base path is written as a slash. */
const withSlash = (paths: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
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

const TEST_HOOKS = [
  'What the bank offers for testing, beyond the interface, goes into testHooks, each bound to an HTTP request: to',
  'revoke a token, to book a transaction, to move the clock. Without them some checks are held back. See',
  'docs/profiles.md.',
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
  'A person authorizes: the run shows the link, and who is to log in and agree. See docs/authorization.md.',
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

/** The second half of a written profile: what else the bank offers, and how it is treated. */

/** The further interfaces: bound where the bank offers them. */
export const offers = (answers: Answers, profile: Profile): readonly Section[] => [
  secondVariant(profile),
  payments(answers, profile),
  loans(profile),
]

const secondVariant = ({ secondVariant: second }: Profile): Section => {
  if (second === undefined)
    return { prose: ['No second accounts variant was seen or named: secondVariant is left out.'] }
  const { basePaths, ...others } = second
  return {
    prose: ['The second accounts variant, which names the account in the body. / stands for no base path.'],
    values: { secondVariant: { basePaths: withSlash(basePaths) } },
    defaults: { secondVariant: others },
  }
}

const payments = (answers: Answers, profile: Profile): Section => {
  if (answers.payments === undefined || profile.payments === undefined)
    return { prose: ['The bank offers no payments: payments is left out.'] }
  const { debtor, creditor, basePaths, oauthBasePaths, provocations, ...others } = profile.payments
  return {
    prose: [
      'The payment API. Each payment is of the smallest amount, from the debtor to the creditor.',
      'How each rejection is provoked is for the owner to say: provocations, by reason code, such as',
      'AC04: { change: { creditor: { iban: an account that is closed } } }.',
    ],
    values: { payments: { debtor, creditor } },
    defaults: {
      payments: {
        basePaths: withSlash(basePaths),
        oauthBasePaths: withSlash(oauthBasePaths),
        ...others,
        provocations,
      },
    },
  }
}

const loans = ({ loans: bound }: Profile): Section => {
  if (bound === undefined) return { prose: ['No instalment loans were seen or named: loans is left out.'] }
  const { basePath, ...others } = bound
  return {
    prose: [
      'The sandbox of instalment loans. Bodies are sent as JSON; what stands between braces is put in when they are sent.',
    ],
    values: { loans: { basePath: basePath || '/' } },
    defaults: { loans: others },
  }
}

const WEBHOOKS =
  'Notifications are received by a sink that the run brings up; --webhook-url names it to the bank.'

export const webhooks = ({ webhook }: Answers, profile: Profile): Section => {
  const { listen, configured, ...others } = profile.webhooks
  if (webhook === undefined) return { prose: [WEBHOOKS], defaults: { webhooks: profile.webhooks } }
  return {
    prose: [
      WEBHOOKS,
      `Here that is ${webhook.url}, and the settings of the application at the bank have to say so.`,
    ],
    values: { webhooks: { listen, configured } },
    defaults: { webhooks: others },
  }
}

/** How the target is reached, and how long it may take. */
export const settings = (profile: Profile): readonly Section[] => [
  {
    prose: [
      'Further origins of the same bank, such as the host of its login pages. Nothing is sent to any other.',
    ],
    defaults: { origins: profile.origins },
  },
  {
    prose: [
      'Certificates and proxies: ca, certificate and key name files (PEM), proxy an address. Headers are for a gateway.',
    ],
    defaults: { connection: profile.connection, headers: profile.headers },
  },
  {
    prose: ['In milliseconds. `budget: { requests: 5000 }` bounds the requests of a run as well.'],
    defaults: { deadlines: profile.deadlines },
  },
  { prose: [], defaults: { clock: profile.clock } },
]
