import { describe, expect, it } from 'vitest'
import { sampleExchange } from '../../testing/samples/exchange.ts'
import { sampleProfile } from '../../testing/samples/profile.ts'
import { profileSchema } from '../../profile/schema.ts'
import { createTokenStore } from './token-store.ts'
import type { ProfileInput } from '../../profile/schema.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Application } from '../application.ts'
import type { GrantStore } from './grant-store.ts'
import type { StoredGrant } from './grants-file.ts'

const INPUT: ProfileInput = {
  ...sampleProfile(),
  customers: [
    { name: 'Anna', username: 'anna', password: 'p' },
    { name: 'Bert', username: 'bert', password: 'p' },
  ],
}

const listing = (body: unknown): Exchange =>
  sampleExchange({ operation: 'listAccounts', body: JSON.stringify(body) })

/** An application that counts its grants; its tokens live until `alive` says no. */
const createStandIn = (input: ProfileInput = INPUT) => {
  const profile = profileSchema.parse(input)
  const granted: (string | undefined)[] = []
  const tried: string[] = []
  const state = { alive: true }
  const app = {
    profile: profile.applications[0],
    opens: ['first'],
    tokens: async (options?: { readonly customer?: { readonly name: string } }) => {
      granted.push(options?.customer?.name)
      return { accessToken: `token-${granted.length}`, scope: 'PREMIUM_AIS:c', consentId: 'c' }
    },
    listAccounts: async (token: string) => {
      tried.push(token)
      return listing(state.alive ? { accounts: [{ accountId: 'a' }] } : { errorCode: 'TOKEN_INVALID' })
    },
  } as unknown as Application
  return { profile, app, granted, tried, state, tokenStore: createTokenStore(profile) }
}

it('makes one grant for all scenarios, also for concurrent ones', async () => {
  const { app, tokenStore, granted, profile } = createStandIn()
  const asked = await Promise.all([1, 2, 3].map(() => tokenStore.access(app, profile.customers[0])))
  expect(granted).toEqual(['Anna'])
  expect(asked).toEqual(Array(3).fill({ accessToken: 'token-1', scope: 'PREMIUM_AIS:c', consentId: 'c' }))
})

it('tests a token once after a change at the target, and keeps a valid one', async () => {
  const { app, tokenStore, granted, tried } = createStandIn()
  await tokenStore.access(app, undefined)
  tokenStore.recheck()
  await tokenStore.access(app, undefined)
  await tokenStore.access(app, undefined)
  expect(tried).toEqual(['token-1'])
  expect(granted).toHaveLength(1)
})

it('makes a new grant if the token is no longer valid', async () => {
  const { app, tokenStore, state } = createStandIn()
  await tokenStore.access(app, undefined)
  state.alive = false
  tokenStore.recheck()
  expect((await tokenStore.access(app, undefined)).accessToken).toBe('token-2')
})

it('returns an imported token without an authorization', async () => {
  const tokens = [
    { application: 'shop', customer: 'Bert', accessToken: 'of-bert', consentId: 'b' },
    { application: 'shop', customer: 'Anna', accessToken: 'of-anna', scope: 'PREMIUM_AIS' },
  ]
  const { app, tokenStore, granted, tried, profile } = createStandIn({
    ...INPUT,
    authorization: { kind: 'tokens', tokens },
  })
  tokenStore.recheck()
  const [anna, bert] = profile.customers
  expect(await tokenStore.access(app, anna)).toEqual({ accessToken: 'of-anna', scope: 'PREMIUM_AIS' })
  expect(await tokenStore.access(app, bert)).toEqual({ accessToken: 'of-bert', scope: '', consentId: 'b' })
  expect([...granted, ...tried]).toEqual([])
})

describe('with separate grants for the variants', () => {
  const OWN = { ...INPUT, secondVariant: { oauth: { scope: 'AIS_2' } } }

  it('makes a grant for each variant', async () => {
    const { app, tokenStore, granted, profile } = createStandIn(OWN)
    const second: Application = { ...app, opens: ['second'] }
    const [anna] = profile.customers
    const asked = [await tokenStore.access(app, anna), await tokenStore.access(second, anna)]
    expect(asked.map(({ accessToken }) => accessToken)).toEqual(['token-1', 'token-2'])
    expect(await tokenStore.access(second, anna)).toEqual(asked[1])
    expect(granted).toEqual(['Anna', 'Anna'])
  })

  it('returns the imported token of the variant, and fails without one', async () => {
    const tokens = [
      { application: 'shop', customer: 'Anna', accessToken: 'of-first' },
      { application: 'shop', customer: 'Anna', accessToken: 'of-second', variant: 'second' as const },
      { application: 'shop', customer: 'Bert', accessToken: 'of-bert' },
    ]
    const { app, tokenStore, granted, profile } = createStandIn({
      ...OWN,
      authorization: { kind: 'tokens', tokens },
    })
    const second: Application = { ...app, opens: ['second'] }
    const [anna, bert] = profile.customers
    expect((await tokenStore.access(app, anna)).accessToken).toBe('of-first')
    expect((await tokenStore.access(second, anna)).accessToken).toBe('of-second')
    await expect(tokenStore.access(second, bert)).rejects.toThrow(
      'no imported token opens the second variant',
    )
    expect(granted).toEqual([])
  })
})

describe('a tokenStore with a grantStore', () => {
  const OLD = { access: { accessToken: 'token-old', scope: 'PREMIUM_AIS:c', consentId: 'c' } }

  /** A grant store in memory; the tokens in the list are valid. */
  const createKept = (kept: StoredGrant | undefined, alive: readonly string[]) => {
    const { profile, app, granted, tried } = createStandIn()
    const reported: string[] = []
    let grant = kept
    const grantStore: GrantStore = {
      find: () => grant,
      keep: (_, next) => {
        grant = next
        reported.push(`keeps ${next.access.accessToken}`)
      },
      drop: () => {
        grant = undefined
        reported.push('drops')
      },
    }
    const bank = {
      ...app,
      listAccounts: async (token: string) => {
        tried.push(token)
        return listing(alive.includes(token) ? { accounts: [{ accountId: 'a' }] } : {})
      },
      renew: async ({ refreshToken }: { readonly refreshToken: string }) => ({
        exchange: { ...listing({ access_token: 'token-new' }), operation: 'token' },
        tokens: { accessToken: refreshToken === 'good' ? 'token-new' : 'dead', refreshToken: 'next' },
      }),
    } as unknown as Application
    const tokenStore = createTokenStore(profile, grantStore)
    return { access: () => tokenStore.access(bank, profile.customers[0]), granted, tried, reported }
  }

  it('needs no authorization for a grant of an earlier run that is still valid', async () => {
    const { access, granted, tried, reported } = createKept(OLD, ['token-old'])
    expect((await access()).accessToken).toBe('token-old')
    await access()
    expect([granted, tried, reported]).toEqual([[], ['token-old'], []])
  })

  it('renews an expired grant with its refresh token', async () => {
    const { access, granted, reported } = createKept({ ...OLD, refreshToken: 'good' }, ['token-new'])
    expect(await access()).toEqual({ ...OLD.access, accessToken: 'token-new' })
    expect([granted, reported]).toEqual([[], ['keeps token-new']])
  })

  it('removes a grant that cannot be renewed, and stores the new one', async () => {
    const { access, granted, reported } = createKept({ ...OLD, refreshToken: 'bad' }, [])
    expect((await access()).accessToken).toBe('token-1')
    expect([granted, reported]).toEqual([['Anna'], ['drops', 'keeps token-1']])
  })
})
