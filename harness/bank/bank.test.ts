import { describe, expect, test } from 'vitest'
import { createBank } from './bank.ts'
import type { Defect, Variation } from './defect.ts'
import { conformingRules } from './rules.ts'
import { TestClient } from '../testing/bank-clients/test-client.ts'

const defectOf = (defect: Omit<Defect, 'id' | 'title' | 'breaks'>): Defect => ({
  id: 'wrong',
  title: 'The bank is wrong.',
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

  test('does not change the test hooks', async () => {
    const { fetch } = createBank({
      defect: defectOf({ wire: () => async () => new Response(null, { status: 418 }) }),
    })
    expect((await fetch(new Request('http://bank.test/_test-hooks/clock'))).status).toBe(200)
  })

  test('is applied after a variation', async () => {
    const variation: Variation = {
      id: 'teapot',
      title: 'Refusals are 418.',
      rules: { refusalStatus: () => 418 },
    }
    const defect = defectOf({
      rules: (conforming) => ({ refusalStatus: (facts) => conforming.refusalStatus(facts) + 1 }),
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
    const before = { ...conformingRules }
    createBank({ defect: defectOf({ rules: { newCode: () => 'c' } }) })
    expect(conformingRules).toEqual(before)
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
