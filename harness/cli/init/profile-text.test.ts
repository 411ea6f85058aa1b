import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodesAt } from '../../profile/json-schema.ts'
import { loadProfile, type LoadedProfile } from '../../profile/load.ts'
import {
  APPLICATION,
  AUTHORIZATIONS,
  FOR_LOANS,
  isAuthorized,
  KINDS,
  PROVOCATIONS,
  REFUSALS,
  VARIANTS,
  withDefaults,
} from './answers.ts'
import { neededVariables, problemsIn } from './profile-input.ts'
import { profileText, KEY_COMMENTS } from './profile-text.ts'
import type { Answers, PartialAnswers } from './answers.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'init-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

const load = async (text: string, answers: Answers): Promise<LoadedProfile> => {
  const file = join(folder, 'bank.yaml')
  await writeFile(file, text)
  return loadProfile(
    file,
    Object.fromEntries(neededVariables(answers).map((name) => [name, `value ${name}`])),
  )
}

/** Removes the # from every default. */
const uncommentDefaults = (text: string): string => text.replaceAll(/^#(?! \S)/gm, '')

const label = fc.oneof(
  fc.string({ minLength: 1, unit: 'grapheme' }),
  fc.constantFrom('yes', '1', '#a', 'a: b', '- a', 'ž {x}'),
)
const variable = fc.stringMatching(/^[A-Za-z_]\w{0,12}$/)
const path = fc.oneof(
  fc.constantFrom('/', '/api', '/premium/sandbox/'),
  fc.stringMatching(/^\/[a-z{}'#!%&*-]{0,12}$/),
)
const uri = fc.webUrl({ withQueryParameters: true })
const party = fc
  .tuple(fc.stringMatching(/^[A-Za-zÁ-ž.' ]{1,20}$/), fc.stringMatching(/^[A-Z]{2}\d{2}[0-9A-Z]{4,20}$/))
  .map(([name, iban]) => `${name} ${iban}`)
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined })

const given: fc.Arbitrary<PartialAnswers> = fc
  .record({
    name: maybe(label),
    baseUrl: fc.webUrl({ validSchemes: ['http', 'https'] }),
    environment: maybe(fc.constantFrom('sandbox' as const, 'production' as const)),
    basePath: maybe(path),
    timeZone: maybe(fc.constantFrom('UTC', 'Europe/Bratislava')),
    refusals: maybe(fc.constantFrom(...REFUSALS)),
    kind: fc.constantFrom(...KINDS),
    redirectUri: fc.array(fc.oneof(uri, fc.constant('http://127.0.0.1:8765/callback')), {
      minLength: 1,
      maxLength: 3,
    }),
    delivery: maybe(
      fc.array(fc.constantFrom('redirect' as const, 'result-screen' as const), { maxLength: 3 }),
    ),
    customer: maybe(label),
    clientIdEnv: variable,
    clientSecretEnv: variable,
    usernameEnv: variable,
    passwordEnv: variable,
    accessTokenEnv: variable,
    authorization: maybe(fc.constantFrom(...AUTHORIZATIONS)),
    accountsVariant: maybe(fc.constantFrom(...VARIANTS)),
    debtor: maybe(party),
    creditor: maybe(party),
    provocations: maybe(fc.subarray([...PROVOCATIONS])),
    environments: maybe(fc.constant(['sandbox', 'production'] as const)),
    testHooks: maybe(fc.boolean()),
    accounts: maybe(fc.constantFrom(['SK2998010000002600001129', 'other', '34'], [])),
    furtherApplications: maybe(fc.array(fc.constant('FAC A_ID A_SECRET https://a.example/'))),
    furtherCustomers: maybe(fc.array(fc.constant('B_NAME B_PASSWORD SK1198010000004000007788 212'))),
    loans: maybe(fc.boolean()),
    webhookUrl: maybe(fc.webUrl({ validSchemes: ['http', 'https'] })),
    webhookPort: maybe(fc.integer({ min: 1, max: 65_535 })),
  })
  .map(
    (all) =>
      Object.fromEntries(
        Object.entries(all).filter(
          ([key, value]) => value !== undefined && (key !== 'provocations' || all.debtor !== undefined),
        ),
      ) as unknown as PartialAnswers,
  )

/** Each run validates and writes a whole profile several times. */
const RUNS = { numRuns: 15 }

const accepted = given.filter((each) => problemsIn(each).length === 0)

/** The part of a profile that these answers set. */
const expectedPart = (answers: Answers) => ({
  name: answers.name ?? '',
  baseUrl: answers.baseUrl,
  environment: answers.environment,
  applications: [
    {
      name: APPLICATION,
      clientId: `value ${answers.clientIdEnv}`,
      clientSecret: `value ${answers.clientSecretEnv}`,
      ...(isAuthorized(answers)
        ? {
            kind: answers.kind,
            redirectUris: answers.redirectUri.map((each, at) => ({
              uri: each,
              delivery: answers.delivery[at] ?? 'redirect',
            })),
          }
        : { ...FOR_LOANS, redirectUris: [] }),
    },
    ...answers.furtherApplications.map(() => ({
      kind: 'FAC',
      clientId: 'value A_ID',
      clientSecret: 'value A_SECRET',
      redirectUris: [{ uri: 'https://a.example/', delivery: 'redirect' }],
    })),
  ],
})

describe('profileText', () => {
  it('loads to the given answers without a warning, and to the same with its defaults uncommented', async () => {
    await fc.assert(
      fc.asyncProperty(accepted, async (each) => {
        const answers = withDefaults(each)
        const text = profileText(answers, 'bank.yaml')
        const { profile, digest, warnings } = await load(text, answers)
        const full = await load(uncommentDefaults(text), answers)
        expect(full).toMatchObject({ profile, digest })
        expect(warnings).toEqual([])
        expect(profile).toMatchObject(expectedPart(answers))
        if (!isAuthorized(answers)) expect(profile.customers).toEqual([])
        else {
          const [first, ...others] = profile.customers
          expect(first?.name).toBe(answers.customer)
          expect(
            first?.accounts.map(({ iban, bank, transactions }) => [iban, bank, String(transactions)]),
          ).toEqual(answers.accounts.length === 0 ? [] : [answers.accounts])
          expect(others.map(({ password, accounts }) => [password, accounts[0]?.transactions])).toEqual(
            answers.furtherCustomers.map(() => ['value B_PASSWORD', 212]),
          )
          expect(profile.authorization.kind).toBe(answers.authorization)
        }
        expect(profile.testHooks.bookTransaction !== undefined).toBe(answers.testHooks)
        expect(profile.guesses.length).toBe(answers.payments ? answers.provocations.length + 1 : 0)
        expect(profile.secondVariant !== undefined).toBe(answers.accountsVariant !== 'first')
        expect(Object.keys(profile.notApplicable).length > 0).toBe(answers.accountsVariant === 'second')
        expect(profile.payments !== undefined).toBe(answers.payments)
        for (const side of ['debtor', 'creditor'] as const)
          expect(answers[side]).toContain(profile.payments?.[side].iban ?? '')
        expect(profile.loans !== undefined).toBe(answers.loans)
        expect(profile.timeZone).toBe(each.timeZone ?? 'UTC')
        expect(profile.refusals).toBe(answers.refusals === 'unknown' ? undefined : answers.refusals)
        if (answers.basePath !== undefined)
          expect(profile.basePaths[answers.environment]).toBe(answers.basePath.replace(/\/$/, ''))
        expect(profile.webhooks.listen.port).toBe(answers.webhookPort ?? 0)
      }),
      RUNS,
    )
  })

  it('contains every key of a profile', () => {
    const answers = withDefaults({
      debtor: 'A SK2998010000002600001129',
      loans: true,
      accountsVariant: 'both',
    })
    const text = profileText(answers, 'bank.yaml')
    const keys = Object.keys(nodesAt([], {})[0]?.properties ?? {})
    // Only in the documentation.
    const rare = ['environments', 'sandboxesBelowProduction']
    expect(keys.filter((key) => !rare.includes(key) && !new RegExp(`\\b${key}\\b`).test(text))).toEqual([])
  })

  it('says of an interface that is left out what it answered', () => {
    const probe = {
      reached: true,
      firstVariant: 'present',
      secondVariant: 'absent',
      testHooks: 'absent',
    } as const
    const text = profileText(withDefaults({}), 'bank.yaml', {
      ...probe,
      payments: 'present',
      loans: 'unclear',
    }).replaceAll(/\n# /g, ' ')
    expect(text).toContain('payments is left out: payments (--debtor and --creditor); present at the bank.')
    expect(text).toContain('(--accounts-variant both); absent at the bank.')
    expect(text).toContain('(--loans); unclear at the bank.')
  })

  it('has no line of more than 120 characters', () => {
    const text = profileText(withDefaults({ loans: true, accountsVariant: 'both' }), 'bank.yaml')
    expect(text.split('\n').filter((line) => line.length > 120)).toEqual([])
  })

  it('contains the names of the variables and no value', () => {
    const text = profileText(
      withDefaults({ clientIdEnv: 'MINE_ID', clientSecretEnv: 'MINE_SECRET' }),
      'bank.yaml',
    )
    expect(text).toContain('clientSecret: env:MINE_SECRET')
    expect(text).toContain('# MINE_ID, MINE_SECRET, BANK_USERNAME, BANK_PASSWORD')
  })
})

describe('KEY_COMMENTS', () => {
  it('belong to keys of a profile', () => {
    const text = AUTHORIZATIONS.flatMap((authorization) =>
      profileText(
        withDefaults({
          authorization,
          redirectUri: ['http://127.0.0.1:8765/callback'],
          loans: true,
          accountsVariant: 'both',
          debtor: 'A SK2998010000002600001129',
          webhookUrl: 'https://me.example/hook',
        }),
        'bank.yaml',
      ),
    ).join('\n')
    expect(
      Object.values(KEY_COMMENTS).filter(
        (comment) => comment !== undefined && !text.includes(`# ${comment}`),
      ),
    ).toEqual([])
  })
})
