import type { Profile } from '../profile/schema.ts'
import type { Answers } from './answers.ts'
import type { Section } from './section.ts'

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
    values: { secondVariant: { basePaths: written(basePaths) } },
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
        basePaths: written(basePaths),
        oauthBasePaths: written(oauthBasePaths),
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

/** No base path is written as a slash. */
const written = (paths: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(paths).map(([environment, path]) => [environment, path || '/']))
