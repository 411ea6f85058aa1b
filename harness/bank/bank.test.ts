import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createBank } from './bank.ts'
import type { Defect, Variation } from './defect.ts'
import { lawfulRules } from './rules.ts'
import { aClient, TestClient } from '../testing/bank-clients/test-client.ts'

const defectOf = (defect: Omit<Defect, 'id' | 'story' | 'breaks'>): Defect => ({
  id: 'wrong',
  story: 'The bank is wrong.',
  breaks: [],
  ...defect,
})

const accountsStatus = async (
  defect: Defect,
  environment: 'sandbox' | 'production' = 'sandbox',
): Promise<number> => {
  const client = new TestClient({ fetch: createBank({ defect }).fetch, environment })
  return (await client.accounts('x')).status
}

describe('a defect', () => {
  test('replaces a rule', async () => {
    const defect = defectOf({ rules: { refusalStatus: () => 418 } })
    expect(await accountsStatus(defect)).toBe(418)
    expect((await new TestClient({ fetch: createBank().fetch }).accounts('x')).status).toBe(401)
  })

  test('can exist in one environment only, by rule and by wire', async () => {
    for (const change of [
      { rules: { refusalStatus: () => 418 } },
      { wire: () => async () => new Response(null, { status: 418 }) },
    ]) {
      const defect = defectOf({ ...change, environment: 'production' })
      expect(await accountsStatus(defect)).toBe(401)
      expect(await accountsStatus(defect, 'production')).toBe(418)
    }
  })

  test('can be wrong only the second time, in each bank separately', async () => {
    const defect = defectOf({
      rules: (lawful) => {
        let uses = 0
        return { redeemsCode: (facts) => (uses++ === 1 ? true : lawful.redeemsCode(facts)) }
      },
    })
    for (let bank = 0; bank < 2; bank += 1) {
      const client = new TestClient({ fetch: createBank({ defect }).fetch })
      const { parameters } = await client.authorize()
      const statuses = []
      for (let use = 0; use < 3; use += 1) statuses.push((await client.exchange(parameters['code'])).status)
      expect(statuses).toEqual([200, 200, 400])
    }
  })

  test('can be wrong only for concurrent requests', async () => {
    const defect = defectOf({
      rules: {
        redeemsCode: async ({ code, redemptions }) => {
          const isUnused = !redemptions.has(code.value)
          await setImmediate()
          redemptions.add(code.value)
          return isUnused
        },
      },
    })
    const client = new TestClient({ fetch: createBank({ defect }).fetch })
    const first = (await client.authorize()).parameters['code']
    expect((await client.exchange(first)).status).toBe(200)
    expect((await client.exchange(first)).status).toBe(400)
    const second = (await client.authorize()).parameters['code']
    const both = await Promise.all([client.exchange(second), client.exchange(second)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
  })

  test('can be wrong for a TPP only', async () => {
    const defect = defectOf({
      rules: { challengeIsRequired: ({ client }) => client.kind !== 'TPP' },
    })
    const { fetch } = createBank({ defect })
    const left = { code_challenge: undefined, code_challenge_method: undefined }
    const tpp = new TestClient({ fetch, client: aClient('TPP') })
    await tpp.createConsent()
    expect((await tpp.authorize(left)).parameters).toHaveProperty('code')
    expect((await new TestClient({ fetch }).authorize(left)).parameters).toMatchObject({
      error: 'invalid_request',
    })
  })

  test('can omit the login or the decision', async () => {
    const withoutLogin = defectOf({
      rules: {
        steps: () => [],
        customerOf: ({ customers, username }) => (username ? undefined : customers[0]),
      },
    })
    const withoutDecision = defectOf({ rules: { steps: () => ['login'] } })
    const alwaysGrants = defectOf({ rules: { decisionGrants: () => true } })
    for (const defect of [withoutLogin, withoutDecision, alwaysGrants]) {
      const client = new TestClient({ fetch: createBank({ defect }).fetch })
      expect((await client.authorize({}, { decision: 'deny' })).parameters).toHaveProperty('code')
    }
  })

  test('does not change the test hooks', async () => {
    const { fetch } = createBank({
      defect: defectOf({ wire: () => async () => new Response(null, { status: 418 }) }),
    })
    expect((await fetch(new Request('http://bank.test/_test-hooks/clock'))).status).toBe(200)
  })

  test('is applied after a variation', async () => {
    const variation: Variation = {
      id: 'teapot',
      story: 'Refusals are 418.',
      rules: { refusalStatus: () => 418 },
    }
    const defect = defectOf({
      rules: (lawful) => ({ refusalStatus: (facts) => lawful.refusalStatus(facts) + 1 }),
    })
    const { fetch } = createBank({ defect, variation })
    expect((await new TestClient({ fetch }).accounts('x')).status).toBe(419)
  })
})

describe('a bank', () => {
  test('does not share records with another bank', async () => {
    const { access_token } = await new TestClient({ fetch: createBank().fetch }).obtainTokens()
    expect((await new TestClient({ fetch: createBank().fetch }).accounts(access_token)).status).toBe(401)
  })

  test('does not let a defect change its shared rules', () => {
    const before = { ...lawfulRules }
    createBank({ defect: defectOf({ rules: { newCode: () => 'c' } }) })
    expect(lawfulRules).toEqual(before)
  })

  test('answers 500 if a rule throws', async () => {
    const failing = (): never => {
      throw new Error('no such ledger')
    }
    const { fetch } = createBank({ defect: defectOf({ rules: { bearerToken: failing } }) })
    const response = await new TestClient({ fetch }).accounts('x')
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('no such ledger')
  })
})

test('its first page links to the documentation, and nothing else of the folder is shown', async () => {
  const { fetch } = createBank()
  const get = async (path: string) => fetch(new Request(`http://bank.example${path}`))
  const [, link = ''] = /href="(\/docs\/[^"]+)"/.exec(await (await get('/')).text()) ?? []
  expect(await (await get(link)).text()).toMatch(/^# /)
  for (const path of [
    '/docs/unknown.md',
    '/docs/images',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e/package.json',
  ])
    expect((await get(path)).status).toBe(404)
})
