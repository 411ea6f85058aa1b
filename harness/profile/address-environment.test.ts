import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ambiguousAddresses, placesBelow } from './address-environment.ts'
import { readingsOf } from './path-interpretations.ts'
import { parsedProfile } from '../testing/samples/profile.ts'
import type { Profile, ProfileInput } from './schema.ts'

/** The environment of an address in any spelling, and the profiles for which it is ambiguous. */

const BASE = 'https://api.bank.example'

const party = { name: 'Anna', iban: 'SK2998010000002600001129' }

type PaymentsInput = NonNullable<ProfileInput['payments']>

const profileOf = (changes: Partial<ProfileInput> = {}, payments: Partial<PaymentsInput> = {}): Profile =>
  parsedProfile({
    secondVariant: {},
    loans: {},
    payments: { debtor: party, creditor: party, ...payments },
    ...changes,
  })

const ownersBelow = (base: string) => {
  const placeAt = placesBelow(profileOf(), base)
  return (url: string) => placeAt(url)?.environment
}
const ownerOf = ownersBelow(BASE)

type Write = (path: string) => string

const inside =
  (between: string): Write =>
  (path) =>
    path.replaceAll(/(?<=.)\//g, between)

/** Spellings of a path that some servers treat like the path itself. */
const SPELLINGS: readonly Write[] = [
  (path) => path,
  (path) => path.toUpperCase(),
  (path) => path.replaceAll('/', '//'),
  (path) => path.replaceAll('/', '\\'),
  (path) => path.replace('p', '%70').replace('i', '%69'),
  (path) => path.replace('p', '%2570').replace('i', '%2569'),
  (path) => path.replaceAll('n', '\uff4e'),
  (path) => path.replace('/', '/\u200b'),
  inside('%2F'),
  inside('%C0%AF'),
  inside('%u002f'),
  inside(';v=1/'),
  inside('./'),
  inside('%20/'),
]

/** The same for the part before it. */
const DETOURS: readonly Write[] = [
  (path) => path,
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `/x/%2e%2e${path}`,
  (path) => `/x/..;${path}`,
  (path) => `/x/%252e%252e%252f${path}`,
  (path) => `/premium/sandbox/..%2f..${path}`,
  (path) => `/premium/sandbox//..%2f..%5c..${path}`,
]

const disguised = (path: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(path, fc.constantFrom(...SPELLINGS), fc.constantFrom(...SPELLINGS), fc.constantFrom(...DETOURS))
    .map(([plain, one, other, detour]) => detour(other(one(plain))))

const PRODUCTION = ['/premium/production/v1/accounts', '/api/v1/payments/ecomm/sba', '/auth/oauth/v2/token']

test('an address of production belongs to production in any spelling', () => {
  fc.assert(
    fc.property(disguised(fc.constantFrom(...PRODUCTION)), (path) => {
      expect(ownerOf(BASE + path)).toBe('production')
    }),
    { numRuns: 400 },
  )
})

test.each([
  'HTTPS://API.BANK.EXAMPLE',
  `${BASE}:443`,
  `${BASE}.`,
  'http://api.bank.example:80',
  `${BASE}:8443`,
])('%s is the same host', (origin) => {
  expect(ownerOf(`${origin}/auth/oauth/v2/token`)).toBe('production')
})

test.each(['http://localhost', 'http://127.0.0.1:80', 'http://[::1]', 'http://127.1', 'http://0x7f000001'])(
  '%s is this machine',
  (origin) => {
    expect(ownersBelow('http://127.0.0.1:8080')(`${origin}/auth/oauth/v2/token`)).toBe('production')
  },
)

test('a path with too many levels of encoding could be any path', () => {
  expect(readingsOf(`/%${'25'.repeat(20)}70`)).toBeUndefined()
  expect(ownerOf(`${BASE}/premium/sandbox/%${'25'.repeat(20)}70`)).toBe('production')
})

test('an id of an account or a payment does not change the environment', () => {
  const id = fc.oneof(fc.string({ unit: 'grapheme' }), fc.uuid(), fc.base64String())
  fc.assert(
    fc.property(id, (text) => {
      fc.pre(!/[.\\/;]/.test(decodeURIComponent(encodeURIComponent(text))))
      expect(ownerOf(`${BASE}/premium/sandbox/v1/accounts/${encodeURIComponent(text)}`)).toBe('sandbox')
    }),
  )
})

describe('a profile in which a sandbox address could be one of production', () => {
  const confused = (changes: Partial<ProfileInput>, payments: Partial<PaymentsInput> = {}, base = BASE) =>
    ambiguousAddresses(profileOf(changes, payments), base)

  const PATHS = ['/premium/production', '/api/v1', '/premium/production/payments', '/api/v1/test']

  test('is refused for every key and in every spelling', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('basePaths', 'secondVariant', 'secondOauth', 'payments', 'oauth', 'loans'),
        disguised(fc.constantFrom(...PATHS)),
        (part, sandbox) => {
          // A path with a space is refused by the schema.
          fc.pre(/^\/[^?#\s]*$/.test(sandbox))
          const basePaths = { sandbox }
          const sentences = {
            basePaths: () => confused({ basePaths }),
            secondVariant: () => confused({ secondVariant: { basePaths } }),
            secondOauth: () => {
              const own = { sandbox, production: '/ais' }
              return confused({ secondVariant: { oauth: { scope: 'AIS_2', basePaths: own } } })
            },
            payments: () => confused({}, { basePaths }),
            oauth: () => confused({}, { oauthBasePaths: basePaths }),
            loans: () => confused({ loans: { basePath: sandbox } }),
          }[part]()
          expect(sentences.length).toBeGreaterThan(0)
        },
      ),
      { numRuns: 200 },
    )
  })

  test.each(['/api/v1', '/API/v1', '/api/%761'])(
    'is refused where it is %s, production by default',
    (sandbox) => {
      const basePaths = { sandbox, production: '/other' }
      expect(confused({}, { basePaths })).toEqual([expect.stringContaining('`payments.basePaths.sandbox`')])
      expect(confused({ sandboxesBelowProduction: ['/api/v1'] }, { basePaths })).toEqual([])
    },
  )

  test('reports the conflicting keys, and what to do', () => {
    expect(confused({}, { basePaths: { sandbox: '/api/v1' }, oauthBasePaths: { sandbox: '/' } })).toEqual([
      '`payments.basePaths.sandbox`: the sandbox address /api/v1 is the production address /api/v1 (`payments.basePaths.production`), so that a run of the sandbox could act in production; give the sandbox an address of its own',
      '`payments.oauthBasePaths.sandbox` with `payments.token.path`: the sandbox address /auth/oauth/v2/token is the production address /auth/oauth/v2/token (`payments.oauthBasePaths.production` with `payments.token.path`), so that a run of the sandbox could act in production; give the sandbox an address of its own',
    ])
    expect(confused({ basePaths: { production: '/premium' } })).toEqual([
      expect.stringContaining('(where the bank does have its sandbox there, add that base path'),
    ])
  })

  test.each([
    ['a test hook', { testHooks: { bookTransaction: { url: '/premium/production/book' } } }],
    ['a test hook', { testHooks: { revokeToken: { url: `${BASE}/x/..;/api/v1/revoke` } } }],
    ['production by the interface', { basePaths: { sandbox: '/premium/production', production: '/live' } }],
    ['loans', { loans: { submission: { path: '/../../api/v1/applications' } } }],
  ])('is refused for %s', (_, changes) => {
    expect(confused(changes)).toHaveLength(1)
  })

  test('is refused because of the path of the base URL', () => {
    expect(confused({ basePaths: { sandbox: '/' } }, {}, `${BASE}/premium/production`)).not.toEqual([])
  })

  test.each<[string, Partial<ProfileInput>, Partial<PaymentsInput>]>([
    ['the defaults', {}, {}],
    [
      'test hooks at another host',
      { testHooks: { readClock: { url: 'https://test.example/api/v1/clock' } } },
      {},
    ],
    [
      'a sandbox above production',
      { basePaths: { sandbox: '/', production: '/live' } },
      { oauthBasePaths: { production: '/live' } },
    ],
    ['a sandbox next to production', { basePaths: { sandbox: '/premium/production2' } }, {}],
    [
      'a declared sandbox below production',
      {
        basePaths: { production: '/bank', sandbox: '/bank/test' },
        sandboxesBelowProduction: ['/bank/test/'],
      },
      {},
    ],
  ])('is not: %s', (_, changes, payments) => {
    expect(confused(changes, payments)).toEqual([])
  })

  test('is refused if the declared sandbox is production itself', () => {
    const sandboxesBelowProduction = ['/api/v1']
    expect(confused({ sandboxesBelowProduction }, { basePaths: { sandbox: '/api/v1' } })).toHaveLength(1)
  })
})
