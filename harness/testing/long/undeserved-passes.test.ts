import { expect, test } from 'vitest'
import { variations } from '../../bank/variations/index.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { defectOf } from '../defective-bank.ts'
import { runTrial } from '../../proof/trial.ts'
import { referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import type { Faults } from '../../connection/embedded.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/**
 * Requirements on behaviour that never occurs do not pass: on a bank that never redirects, on one that never asks the customer
 * of a FAC, on one that answers everything alike, and on one whose profile repeats what it does wrong. Takes about 20 s.
 */

const catalogue = await loadCatalogue()

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

test.each(variations.filter(({ neverOccurs }) => neverOccurs !== undefined))(
  'with $id a check of each requirement on what never occurs is not reached',
  async (variation) => {
    const absent = variation.neverOccurs ?? []
    const verdicts = await verdictsOn({ variation }, absent)
    expect(verdicts).toEqual(expect.arrayContaining(absent.map((id) => `${id} not-reached`)))
    expect(verdicts.filter((line) => !/ (pass|not-reached)$/.test(line))).toEqual([])
    // A bank that shows every outcome passes no requirement about redirects.
    if (variation.id === 'every-result-is-shown-on-the-result-screen')
      expect(verdicts).toHaveLength(absent.length)
  },
)

const fac = referenceProfile('sandbox').applications.filter(({ kind }) => kind === 'FAC')

test('with FAC applications only, a bank that asks for no decision passes nothing about it', async () => {
  expect(
    await verdictsOn(
      { defect: await defectOf('a-login-grants-access-without-a-decision') },
      ['AUT-17', 'AUT-18'],
      {
        applications: fac,
      },
    ),
  ).toEqual(['AUT-17 not-reached', 'AUT-18 not-reached'])
})

test('with FAC applications only, a bank that asks for a decision passes', async () => {
  expect(await verdictsOn({}, ['AUT-17', 'AUT-18'], { applications: fac })).toEqual([
    'AUT-17 pass',
    'AUT-18 pass',
  ])
})

test('a bank with an open redirector fails', async () => {
  expect(
    await verdictsOn({ defect: await defectOf('a-redirect-uri-may-have-more-characters-at-its-end') }, [
      'AUT-37',
    ]),
  ).toEqual(['AUT-37 fail'])
})

/** Shows the code of a result screen in a sentence. */
const sentence: Faults = {
  variation: {
    id: 'code-in-a-sentence',
    title: 'The result screen shows the code in a sentence.',
    wire: (next) => async (request) => {
      const response = await next(request)
      if (!(response.headers.get('content-type') ?? '').startsWith('text/html')) return response
      const page = (await response.text()).replace('<output id="code">', '$&Your code is ')
      return new Response(page, { status: response.status, headers: response.headers })
    },
  },
}

test('a sentence on a result screen is not read as its code', async () => {
  expect(await verdictsOn(sentence, ['AUT-40'])).toEqual(['AUT-40 not-reached'])
})

test('a code in a sentence is found with its pattern, and can be redeemed', async () => {
  const { authorization } = referenceProfile()
  const codePattern = String.raw`Your code is (\S+)`
  const profile = { authorization: { ...authorization, codePattern } } as Partial<ProfileInput>
  expect(await verdictsOn(sentence, ['AUT-01', 'AUT-11', 'AUT-40'], profile)).toEqual([
    'AUT-01 pass',
    'AUT-11 pass',
    'AUT-40 pass',
  ])
})

/** The settings of webhooks are made with a test hook, which works; and a target may require TLS of everybody that it refuses. */
const JUDGED_ALL_THE_SAME: readonly string[] = [
  ...['WEB-05', 'WEB-06', 'WEB-07', 'WEB-08', 'WEB-09'],
  ...['ENV-12', 'ENV-13'],
]

test.each([
  ['404', () => new Response('{}', { status: 404, headers: { 'content-type': 'application/json' } })],
  ['an empty object', () => new Response('{}', { headers: { 'content-type': 'application/json' } })],
  ['a page', () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
  ['429', () => new Response('', { status: 429 })],
] as const)('a bank that answers everything with %s passes nothing', async (id, answer) => {
  const variation = { id, title: `Every answer is ${id}.`, wire: () => async () => answer() }
  const verdicts = await verdictsOn({ variation }, [])
  const passed = verdicts.flatMap((line) => (line.endsWith(' pass') ? [line.replace(' pass', '')] : []))
  expect(passed.filter((id) => !JUDGED_ALL_THE_SAME.includes(id))).toEqual([])
})

/** Has a bank read another name where the interface gives one. */
const renaming = (id: string, rename: (request: Request) => Promise<Request>): Faults => ({
  variation: {
    id,
    title: 'Another name than that of the interface is read.',
    wire: (next) => async (request) => next(await rename(request)),
  },
})

const withOtherScope = renaming('another-scope', async (request) => {
  const url = new URL(request.url)
  const scope = url.searchParams.get('scope')
  if (scope === null) return request
  url.searchParams.set('scope', scope.startsWith('AIS') ? `PREMIUM_${scope}` : 'unknown')
  return new Request(url, request)
})

const withOtherHeader = renaming('another-header', async (request) => {
  const headers = new Headers(request.headers)
  headers.delete('x-request-id')
  const id = request.headers.get('trace-id')
  if (id !== null) headers.set('x-request-id', id)
  return new Request(request, { headers })
})

test('a profile with another scope does not make up for a bank that has another one', async () => {
  const profile = { scopes: { accounts: 'AIS' } }
  const verdicts = await verdictsOn(withOtherScope, ['AUT-12', 'AUT-13', 'CON-10'], profile)
  expect(verdicts).toEqual(['AUT-12 fail', 'AUT-13 fail', 'CON-10 fail'])
})

test('a profile with another request id header does not make up for a bank that reads another one', async () => {
  const { createConsent, ...others } = referenceProfile('sandbox').operations ?? {}
  const operations = { ...others, createConsent: { ...createConsent, requestIdHeader: 'Trace-ID' } }
  const verdicts = await verdictsOn(withOtherHeader, ['CON-01', 'CON-05'], { operations })
  expect(verdicts).toEqual(['CON-01 pass', 'CON-05 fail'])
})
