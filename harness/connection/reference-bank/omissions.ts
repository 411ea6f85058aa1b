import { withoutAccountChoice, withPayments } from './reference-profile.ts'
import type { Exchange, Variation } from '../../bank/defect.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** What a conforming bank may lack, or what its owner may leave out of the profile. */
export interface Omission extends Pick<Variation, 'id' | 'title' | 'wire'> {
  /** Variations that can be judged only with what is left out. */
  readonly conflicts?: readonly string[]
  /** The profile of the same bank without what is left out: such a key has the value undefined. */
  readonly without: (profile: ProfileInput) => ProfileInput
}

/** The bank has nothing at paths with this beginning, in any environment. */
const notServed = (paths: RegExp) => (next: Exchange) => async (request: Request) =>
  paths.test(new URL(request.url).pathname)
    ? Response.json({ error: 'not_found' }, { status: 404 })
    : next(request)

const withoutHooks =
  (...hooks: readonly (keyof NonNullable<ProfileInput['testHooks']>)[]) =>
  ({ testHooks, ...profile }: ProfileInput): ProfileInput => ({
    ...profile,
    testHooks: Object.fromEntries(
      Object.entries(testHooks ?? {}).filter(([hook]) => !hooks.some((one) => one === hook)),
    ),
  })

/** The first way to initiate a payment, without the provocations that need another one. */
const firstInitiationAlone = withPayments(({ initiations = [], provocations = {} }) => ({
  initiations: initiations.slice(0, 1),
  provocations: Object.fromEntries(
    Object.entries(provocations).filter(([, orders = []]) =>
      [orders].flat().every(({ method }) => method === undefined || method === initiations[0]?.name),
    ),
  ),
}))

/** Payments and loans name no application that is left out. */
const withApplications = (
  { payments, loans, ...profile }: ProfileInput,
  isKept: (application: ProfileInput['applications'][number]) => boolean,
): ProfileInput => {
  const applications = profile.applications.filter(isKept)
  const named = <Part extends { readonly applications?: readonly string[] | undefined }>(
    part: Part,
  ): Part => {
    const kept = applications.filter(({ name }) => part.applications?.includes(name)).map(({ name }) => name)
    return { ...part, applications: kept.length === 0 ? undefined : kept }
  }
  return {
    ...profile,
    applications,
    payments: payments && named(payments),
    loans: loans && named(loans),
  }
}

export const omissions: readonly Omission[] = [
  {
    id: 'no-second-variant',
    title: 'The bank has one accounts variant.',
    wire: notServed(/^(\/sandbox)?\/api\/v1\/accounts/),
    without: (profile) => ({ ...profile, secondVariant: undefined }),
  },
  {
    id: 'no-payments',
    title: 'The bank has no payments.',
    wire: notServed(/^(\/sandbox)?\/api\/v1\/payments\//),
    without: (profile) => ({ ...profile, payments: undefined }),
  },
  {
    id: 'no-loans',
    title: 'The bank has no loans.',
    wire: notServed(/^\/paylater\//),
    without: (profile) => ({ ...profile, loans: undefined }),
  },
  {
    id: 'one-kind-of-payment',
    title: 'The bank has one way to initiate a payment.',
    wire: notServed(/^(\/sandbox)?\/api\/v1\/payments\/(standard|batch)\//),
    without: firstInitiationAlone,
  },
  {
    id: 'no-provocations',
    title: 'The owner knows no order that the bank rejects.',
    without: withPayments(() => ({
      facts: undefined,
      provocations: undefined,
      rejectedAtSubmission: undefined,
    })),
  },
  {
    id: 'sandbox-alone',
    title: 'The credentials are valid in the sandbox only.',
    without: (profile) => ({ ...profile, environments: ['sandbox'] }),
  },
  {
    id: 'one-customer',
    title: 'One customer is known.',
    without: ({ customers = [], ...profile }) => ({ ...profile, customers: customers.slice(0, 1) }),
  },
  {
    id: 'unknown-accounts',
    title: 'The owner does not say which accounts the customers have.',
    // It is not known whether what the second variant leaves out is at another bank.
    conflicts: ['the-second-variant-lists-accounts-of-its-own-bank-only'],
    without: ({ customers = [], ...profile }) => ({
      ...profile,
      customers: customers.map((customer) => ({ ...customer, accounts: undefined })),
    }),
  },
  {
    id: 'third-parties-alone',
    title: 'There is no application that uses its own data.',
    without: (profile) => withApplications(profile, ({ kind }) => kind === 'TPP'),
  },
  {
    id: 'own-data-alone',
    title: 'Each application uses its own data.',
    without: (profile) => withApplications(profile, ({ kind }) => kind === 'FAC'),
  },
  {
    id: 'redirects-alone',
    title: 'No redirect URI is a result screen.',
    without: (profile) => ({
      ...profile,
      applications: profile.applications.map((application) => ({
        ...application,
        redirectUris: application.redirectUris?.filter(({ delivery }) => delivery !== 'result-screen'),
      })),
    }),
  },
  {
    id: 'no-webhook-settings',
    title: 'The settings of webhooks cannot be changed by the suite.',
    without: withoutHooks('configureWebhook'),
  },
  {
    id: 'no-bookings',
    title: 'The bank has no test hook that books a transaction.',
    // Its accountEvents would list no account.
    conflicts: ['an-accountevent-has-only-accounts-with-new-bookings'],
    without: withoutHooks('bookTransaction'),
  },
  {
    id: 'no-revocations',
    title: 'The bank has no test hooks that revoke tokens and consents.',
    without: withoutHooks('revokeToken', 'revokeConsent'),
  },
  {
    id: 'choice-of-accounts-not-declared',
    title: 'The profile does not say how a customer chooses accounts.',
    without: withoutAccountChoice,
  },
]
