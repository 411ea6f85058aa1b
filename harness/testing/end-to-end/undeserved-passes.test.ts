import { expect, test } from 'vitest'
import { variations } from '../../bank/variations/index.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { loadDefects } from '../../proof/selection.ts'
import { runTrial } from '../../proof/trial.ts'
import { referenceProfile } from '../../target/reference-bank/reference-profile.ts'
import type { Faults } from '../../target/embedded.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** Requirements on behaviour that never occurs do not pass: a bank that never redirects, and one that never asks the customer of a FAC. */

const catalogue = await loadCatalogue()
const defects = await loadDefects()

const verdictsOn = async (
  faults: Faults,
  only: readonly string[],
  profile: Partial<ProfileInput> = {},
): Promise<readonly string[]> => {
  const results = await runTrial(catalogue, () => faults, {
    environment: 'sandbox',
    profile,
    only,
    socket: false,
    seed: 42,
    runsOf: () => 2,
  })
  return [...new Set(results.map(({ requirement, verdict }) => `${requirement} ${verdict}`))].sort()
}

const defect = (id: string): Faults => {
  const found = defects.find((one) => one.id === id)
  if (found === undefined) throw new Error(`no defect has the id ${id}`)
  return { defect: found }
}

test('a bank that shows every outcome passes no requirement about redirects', async () => {
  const variation = variations.find(({ id }) => id === 'result-always-shown')
  if (variation === undefined) throw new Error('no variation has the id result-always-shown')
  const aboutRedirects = variation.neverOccurs ?? []
  expect(await verdictsOn({ variation }, aboutRedirects)).toEqual(
    [...aboutRedirects].sort().map((id) => `${id} not-reached`),
  )
})

const fac = referenceProfile('sandbox').applications.filter(({ kind }) => kind === 'FAC')

test('with FAC applications only, a bank that asks for no decision passes nothing about it', async () => {
  expect(await verdictsOn(defect('login-grants'), ['AUT-17', 'AUT-18'], { applications: fac })).toEqual([
    'AUT-17 not-reached',
    'AUT-18 not-reached',
  ])
})

test('with FAC applications only, a bank that asks for a decision passes', async () => {
  expect(await verdictsOn({}, ['AUT-17', 'AUT-18'], { applications: fac })).toEqual([
    'AUT-17 pass',
    'AUT-18 pass',
  ])
})

test('a bank with an open redirector fails', async () => {
  expect(await verdictsOn(defect('redirect-uri-may-be-longer'), ['AUT-37'])).toEqual(['AUT-37 fail'])
})

test('a sentence on a result screen is not read as its code', async () => {
  const sentence: Faults = {
    variation: {
      id: 'code-in-a-sentence',
      story: 'The result screen shows the code in a sentence.',
      wire: (next) => async (request) => {
        const response = await next(request)
        if (!(response.headers.get('content-type') ?? '').startsWith('text/html')) return response
        const page = (await response.text()).replace('<output id="code">', '$&Your code is ')
        return new Response(page, { status: response.status, headers: response.headers })
      },
    },
  }
  expect(await verdictsOn(sentence, ['AUT-40'])).toEqual(['AUT-40 not-reached'])
})
