import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodesAt } from '../../profile/json-schema.ts'
import { loadProfile, type LoadedProfile } from '../../profile/load.ts'
import { AUTHORIZATIONS, completed, neededVariables, variablesOf, VARIANTS } from './answers.ts'
import { complaintsAbout } from './problems.ts'
import { profileText, REMARKS } from './profile-text.ts'
import type { Answers, Given } from './answers.ts'

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

/** Takes the # away from every default. */
const withDefaults = (text: string): string => text.replaceAll(/^#(?! \S)/gm, '')

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

const given: fc.Arbitrary<Given> = fc
  .record({
    name: maybe(label),
    baseUrl: fc.webUrl({ validSchemes: ['http', 'https'] }),
    environment: maybe(fc.constantFrom('sandbox' as const, 'production' as const)),
    basePath: maybe(path),
    kind: fc.constantFrom('TPP' as const, 'FAC' as const),
    redirectUris: fc.array(fc.oneof(uri, fc.constant('http://127.0.0.1:8765/callback')), {
      minLength: 1,
      maxLength: 3,
    }),
    deliveries: maybe(
      fc.array(fc.constantFrom('redirect' as const, 'result-screen' as const), { maxLength: 3 }),
    ),
    customer: maybe(label),
    variables: fc.record({
      clientId: variable,
      clientSecret: variable,
      username: variable,
      password: variable,
      accessToken: variable,
    }),
    authorization: maybe(fc.constantFrom(...AUTHORIZATIONS)),
    variant: maybe(fc.constantFrom(...VARIANTS)),
    debtor: maybe(party),
    creditor: maybe(party),
    loans: maybe(fc.boolean()),
    webhookUrl: maybe(fc.webUrl({ validSchemes: ['http', 'https'] })),
    webhookPort: maybe(fc.integer({ min: 1, max: 65_535 })),
  })
  .map(
    (all) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as unknown as Given,
  )

/** Each run checks and writes a whole profile several times. */
const RUNS = { numRuns: 40 }

const accepted = given.filter((each) => complaintsAbout(each).length === 0)

/** What a profile has to say where these answers were given. */
const said = (answers: Answers) => ({
  name: answers.name,
  baseUrl: answers.baseUrl,
  environment: answers.environment,
  applications: [
    {
      name: answers.application,
      kind: answers.kind,
      clientId: `value ${answers.variables.clientId}`,
      clientSecret: `value ${answers.variables.clientSecret}`,
      redirectUris: answers.redirectUris,
    },
  ],
})

describe('profileText', () => {
  it('loads to what was answered, without a warning', async () => {
    await fc.assert(
      fc.asyncProperty(accepted, async (each) => {
        const answers = completed(each)
        const { profile, warnings } = await load(profileText(answers, 'bank.yaml'), answers)
        expect(warnings).toEqual([])
        expect(profile).toMatchObject(said(answers))
        expect(profile.customers).toHaveLength(1)
        expect(profile.customers[0]?.name).toBe(answers.customer)
        expect(profile.authorization.kind).toBe(answers.authorization)
        expect(profile.secondVariant !== undefined).toBe(answers.variant !== 'first')
        expect(Object.keys(profile.notApplicable).length > 0).toBe(answers.variant === 'second')
        expect(profile.payments?.debtor).toEqual(answers.payments?.debtor)
        expect(profile.payments?.creditor).toEqual(answers.payments?.creditor)
        expect(profile.loans !== undefined).toBe(answers.loans)
        if (answers.basePath !== undefined)
          expect(profile.basePaths[answers.environment]).toBe(answers.basePath.replace(/\/$/, ''))
        if (answers.webhook !== undefined) expect(profile.webhooks.listen.port).toBe(answers.webhook.port)
      }),
      RUNS,
    )
  })

  it('shows as defaults what changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(accepted, async (each) => {
        const answers = completed(each)
        const text = profileText(answers, 'bank.yaml')
        const [plain, full] = [await load(text, answers), await load(withDefaults(text), answers)]
        expect(full.profile).toEqual(plain.profile)
        expect(full.digest).toBe(plain.digest)
      }),
      RUNS,
    )
  })

  it('shows every key that a profile can have, or speaks of it', () => {
    const answers = completed({ debtor: 'A SK2998010000002600001129', loans: true, variant: 'both' })
    const text = profileText(answers, 'bank.yaml')
    const keys = Object.keys(nodesAt([], {})[0]?.properties ?? {})
    // For those who look for them, in the documentation.
    const rare = ['environments', 'notApplicable', 'sandboxesBelowProduction']
    expect(keys.filter((key) => !rare.includes(key) && !new RegExp(`\\b${key}\\b`).test(text))).toEqual([])
  })

  it('holds no line that is longer than a screen is wide', () => {
    const text = profileText(completed({ loans: true, variant: 'both' }), 'bank.yaml')
    expect(text.split('\n').filter((line) => line.length > 120)).toEqual([])
  })

  it('names the variables and never a value', () => {
    const text = profileText(completed({ variables: variablesOf('MINE') }), 'bank.yaml')
    expect(text).toContain('clientSecret: env:MINE_CLIENT_SECRET')
    expect(text).toContain('# MINE_CLIENT_ID, MINE_CLIENT_SECRET, MINE_USERNAME, MINE_PASSWORD')
  })
})

describe('REMARKS', () => {
  it('stand beside keys that a profile has', () => {
    const text = AUTHORIZATIONS.flatMap((authorization) =>
      profileText(
        completed({
          authorization,
          redirectUris: ['http://127.0.0.1:8765/callback'],
          loans: true,
          variant: 'both',
          debtor: 'A SK2998010000002600001129',
          webhookUrl: 'https://me.example/hook',
        }),
        'bank.yaml',
      ),
    ).join('\n')
    expect(Object.values(REMARKS).filter((remark) => !text.includes(`# ${remark}`))).toEqual([])
  })
})
