import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createBank } from './bank.ts'
import type { Defect, Variation } from './defect.ts'
import { lawfulRules } from './rules.ts'
import { aClient, TestClient } from '../testing/bank-clients/test-client.ts'

const wrong = (defect: Omit<Defect, 'id' | 'story' | 'breaks'>): Defect => ({
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
    const defect = wrong({ rules: { refusalStatus: () => 418 } })
    expect(await accountsStatus(defect)).toBe(418)
    expect((await new TestClient({ fetch: createBank().fetch }).accounts('x')).status).toBe(401)
  })

  test('may hold in one environment alone, by rule and by wire', async () => {
    for (const change of [
      { rules: { refusalStatus: () => 418 } },
      { wire: () => async () => new Response(null, { status: 418 }) },
    ]) {
      const defect = wrong({ ...change, environment: 'production' })
      expect(await accountsStatus(defect)).toBe(401)
      expect(await accountsStatus(defect, 'production')).toBe(418)
    }
  })

  test('may be wrong the second time only, in each bank anew', async () => {
    const defect = wrong({
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

  test('may be wrong under concurrency only', async () => {
    const defect = wrong({
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

  test('may be wrong for a TPP only', async () => {
    const defect = wrong({
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

  test('may ask for no login, or for no decision', async () => {
    const nobody = wrong({
      rules: {
        steps: () => [],
        customerOf: ({ customers, username }) => (username ? undefined : customers[0]),
      },
    })
    const unasked = wrong({ rules: { steps: () => ['login'] } })
    const deaf = wrong({ rules: { decisionGrants: () => true } })
    for (const defect of [nobody, unasked, deaf]) {
      const client = new TestClient({ fetch: createBank({ defect }).fetch })
      expect((await client.authorize({}, { decision: 'deny' })).parameters).toHaveProperty('code')
    }
  })

  test('leaves the test hooks alone', async () => {
    const { fetch } = createBank({
      defect: wrong({ wire: () => async () => new Response(null, { status: 418 }) }),
    })
    expect((await fetch(new Request('http://bank.test/_test-hooks/clock'))).status).toBe(200)
  })

  test('stands on top of a variation', async () => {
    const variation: Variation = {
      id: 'teapot',
      story: 'Refusals are 418.',
      rules: { refusalStatus: () => 418 },
    }
    const defect = wrong({
      rules: (lawful) => ({ refusalStatus: (facts) => lawful.refusalStatus(facts) + 1 }),
    })
    const { fetch } = createBank({ defect, variation })
    expect((await new TestClient({ fetch }).accounts('x')).status).toBe(419)
  })
})

describe('a bank', () => {
  test('knows nothing of another bank', async () => {
    const { access_token } = await new TestClient({ fetch: createBank().fetch }).obtainTokens()
    expect((await new TestClient({ fetch: createBank().fetch }).accounts(access_token)).status).toBe(401)
  })

  test('keeps its rules from being changed by a defect', () => {
    const before = { ...lawfulRules }
    createBank({ defect: wrong({ rules: { newCode: () => 'c' } }) })
    expect(lawfulRules).toEqual(before)
  })

  test('says so when a rule throws', async () => {
    const failing = (): never => {
      throw new Error('no such ledger')
    }
    const { fetch } = createBank({ defect: wrong({ rules: { bearerToken: failing } }) })
    const response = await new TestClient({ fetch }).accounts('x')
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('no such ledger')
  })
})
