import { createHmac, scryptSync } from 'node:crypto'
import { electronicForm, isIban } from './iban.ts'
import { measure, type SecretFacts } from './secret-facts.ts'
import { bareName } from './secret-names.ts'
import { remembered, type Edit } from './spellings.ts'

/** Names, account numbers and texts of customers. The same value has the same pseudonym in all runs of a profile. */

interface Party {
  readonly name: string
}

/** The part of a profile that says what becomes of personal data. */
export interface PersonalDataSettings {
  readonly personalData: 'kept' | 'pseudonyms'
  /** Their secrets are the key of the pseudonyms. */
  readonly applications: readonly { readonly clientSecret: string }[]
  readonly customers: readonly {
    readonly accounts: readonly { readonly iban: string }[]
  }[]
  /** The bank's own names of members, and what their values are. */
  readonly personalMembers?: Readonly<Record<string, PersonalKind>>
  readonly payments?:
    | {
        readonly debtor: Party
        readonly creditor: Party
        readonly environments?:
          | Readonly<
              Record<
                string,
                { readonly debtor?: Party | undefined; readonly creditor?: Party | undefined } | undefined
              >
            >
          | undefined
        /** Their bodies show under which names the bank has the parties and the text of an order. */
        readonly initiations: readonly { readonly body: unknown }[]
      }
    | undefined
}

export const PERSONAL_KINDS = ['name', 'account', 'address', 'contact', 'text'] as const

export type PersonalKind = (typeof PERSONAL_KINDS)[number]

export type PersonalData = ReturnType<typeof createPersonalData>

const NAMES: readonly (readonly [PersonalKind, RegExp])[] = [
  [
    'name',
    /^(?:(?:account|owner|accountowner|holder|accountholder|creditor|debtor|ultimatecreditor|ultimatedebtor|customer|applicant|beneficiary|counterparty|payer|payee|first|last|given|family|middle|full|nick|maiden|sur|psu)name|name)$/,
  ],
  ['account', /^(?:iban|bban|pan|maskedpan|msisdn|(?:account|card)(?:number|no))$/],
  ['contact', /^\w*(?:email|phone|phonenumber|mobile)$/],
  [
    'address',
    /^(?:street\w*|buildingnumber|town\w*|city|post(?:al)?code|zip(?:code)?|addressline\w*|(?:postal|home)?address|birth\w*|dateofbirth|nationalid|personalid|ssn)$/,
  ],
  [
    'text',
    /^(?:remittanceinf\w*|unstructured|narrative|additionaltransactioninformation|(?:transaction|payment)description|(?:message|note)(?:to|for)\w+|memo|note|usernote|(?:variable|specific|constant)symbol)$/,
  ],
]

/** What has a name, and is no person. */
const THINGS = /^(?:bank|product|client|application|currency|agent|scheme)/
/** Named so in the data of accounts, and in errors. */
const TEXTS = /^(?:description|text|message|info|details)$/

const kindOfName = remembered((bare) => NAMES.find(([, names]) => names.test(bare))?.[0])

const SHORTEST_IBAN = 15
const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Za-z0-9])/g

/** In words that follow, a blank may be read as one of the IBAN: the longest beginning that is one counts. */
const ibanAtStart = (text: string): string | undefined => {
  let candidate = text
  while (candidate !== '') {
    if (isIban(electronicForm(candidate))) return candidate
    candidate = candidate.slice(0, Math.max(candidate.lastIndexOf(' '), 0))
  }
  return undefined
}

/** What stands in the place of a placeholder of an order. */
const OF_ORDERS: ReadonlyMap<unknown, PersonalKind> = new Map([
  ['{debtorName}', 'name'],
  ['{creditorName}', 'name'],
  ['{debtorIban}', 'account'],
  ['{creditorIban}', 'account'],
  ['{remittanceInformation}', 'text'],
])

/** The members that hold personal data in the template of an order. */
const membersIn = (template: unknown): readonly (readonly [string, PersonalKind])[] => {
  if (typeof template !== 'object' || template === null) return []
  return Object.entries(template).flatMap(([name, value]: [string, unknown]) => {
    const kind = OF_ORDERS.get(value)
    // "name" alone may be that of a thing: what stands around it decides.
    return kind !== undefined && bareName(name) !== 'name'
      ? [[bareName(name), kind] as const]
      : membersIn(value)
  })
}

const knownMembers = ({ personalMembers = {}, payments }: PersonalDataSettings) =>
  new Map([
    ...(payments?.initiations.flatMap(({ body }) => membersIn(body)) ?? []),
    ...Object.entries(personalMembers).map(([name, kind]) => [bareName(name), kind] as const),
  ])

type Hash = (value: string) => string

/** The key of a profile is derived once, which is slow on purpose. */
const hashes = new WeakMap<PersonalDataSettings['applications'], Hash>()

const DIGITS = 10

/** Guessing an account number from its pseudonym takes the secrets of the profile. */
const createHash = (applications: PersonalDataSettings['applications']): Hash => {
  const secrets = applications.map(({ clientSecret }) => clientSecret)
  const key = scryptSync(JSON.stringify(secrets), 'personal data', 32)
  return remembered((value) => createHmac('sha256', key).update(value).digest('hex').slice(0, DIGITS))
}

const partyNames = ({
  debtor,
  creditor,
  environments = {},
}: NonNullable<PersonalDataSettings['payments']>): readonly string[] =>
  [debtor, creditor, ...Object.values(environments).flatMap((own) => [own?.debtor, own?.creditor])].flatMap(
    (party) => party?.name ?? [],
  )

/** Makes pseudonyms of personal data, and finds what is known by its form. */
const createPersonalData = (settings: PersonalDataSettings, facts: Map<string, SecretFacts>) => {
  const { applications } = settings
  const hashOf = hashes.get(applications) ?? createHash(applications)
  hashes.set(applications, hashOf)
  const known = new Set(settings.customers.flatMap(({ accounts }) => accounts.map(({ iban }) => iban)))

  const pseudonymOf = (kind: PersonalKind, given: string): string => {
    const value = kind === 'account' ? electronicForm(given) : given
    const pseudonym = `[${kind}:${hashOf(value)}]`
    if (!facts.has(pseudonym)) facts.set(pseudonym, measure(value))
    return pseudonym
  }

  const editOf = (text: string, start: number): readonly Edit[] => {
    const iban = ibanAtStart(text) ?? (known.has(electronicForm(text)) ? text : undefined)
    if (iban === undefined) return []
    return [{ start, end: start + iban.length, replacement: pseudonymOf('account', iban) }]
  }

  const members = knownMembers(settings)
  const { payments } = settings
  return {
    /**
     * What the value of a member is, by its name; undefined if it is not personal.
     * @param around the name of the object that it stands in. @param isAccountData whether it was answered about accounts.
     */
    kindOfMember(name: string, around: string, isAccountData: boolean): PersonalKind | undefined {
      const bare = bareName(name)
      const known = members.get(bare)
      if (known !== undefined) return known
      if (bare === 'name' && THINGS.test(bareName(around))) return undefined
      return kindOfName(bare) ?? (isAccountData && TEXTS.test(bare) ? 'text' : undefined)
    },
    /** Names that the profile has: they are replaced wherever they stand. */
    names: payments === undefined ? [] : partyNames(payments),
    pseudonymOf,
    find: (text: string): readonly Edit[] =>
      text.length < SHORTEST_IBAN
        ? []
        : [...text.matchAll(IBAN)].flatMap(({ 0: found, index }) => editOf(found, index)),
  }
}

/** Undefined if the profile keeps personal data. @param given gets each pseudonym. */
export const personalDataOf = (
  settings: PersonalDataSettings | undefined,
  given: Map<string, SecretFacts>,
): PersonalData | undefined =>
  settings === undefined || settings.personalData === 'kept' ? undefined : createPersonalData(settings, given)
