import { expect, test } from 'vitest'
import { answer, refusal } from '../bank/changes/answer.ts'
import { loadCatalogue } from '../plan/catalogue.ts'
import { runTrial } from './trial.ts'
import type { Variation } from '../bank/defect.ts'
import { SLOW } from '../testing/slow.ts'

/** Conforming banks, and conforming banks behind an intermediary, that come close to a defect: no requirement fails. */

const catalogue = await loadCatalogue()

/** An account that the first customer of the profile does not share. */
const UNSHARED = '505cc233-aa4b-4666-a4ec-88ebc5d68c2b'

const failedOn = async (variation: Variation, only: readonly string[]): Promise<readonly string[]> => {
  const results = await runTrial(catalogue, () => ({ variation }), {
    socket: false,
    seed: 42,
    runsOf: () => 4,
    only,
    environment: 'sandbox',
  })
  expect(results.length).toBeGreaterThan(0)
  return results.filter(({ violation }) => violation !== undefined).map(({ id }) => id)
}

test('a page with 403 in place of a refusal with 401 may be that of a firewall', SLOW, async () => {
  const firewall: Variation = {
    id: 'firewall',
    title: 'A firewall answers with a page what the bank refuses with 401.',
    ...refusal(
      () => true,
      ({ status }) =>
        status === 401
          ? {
              status: 403,
              text: '<!doctype html><h1>Forbidden</h1>',
              headers: { 'content-type': 'text/html', 'www-authenticate': undefined },
            }
          : undefined,
    )([]),
  }
  expect(await failedOn(firewall, ['TOK-82', 'TOK-88', 'TOK-89', 'ACC-24', 'TRX-41', 'REF-13'])).toEqual([])
})

test('an event of another consent of the application may name an account that this consent does not cover', async () => {
  const earlier: Variation = {
    id: 'earlier-consent',
    title: 'Under a consent of before the run, the customer has shared all accounts.',
    rules: (conforming) => ({
      consentsConcerned: ({ account, consents }) =>
        consents.filter(({ customers }) => customers.some(({ accounts }) => accounts.includes(account))),
      transactionEventBody: (facts) => {
        const body = conforming.transactionEventBody(facts) as object
        return facts.accountIds.includes(UNSHARED) ? { ...body, consentId: 'consent-of-before' } : body
      },
    }),
  }
  expect(await failedOn(earlier, ['WEB-16'])).toEqual([])
})

test('a form that is only in a comment of the page sends nothing', async () => {
  const commented: Variation = {
    id: 'commented-form',
    title: 'The pages have a former form in a comment.',
    ...answer(
      () => true,
      ({ headers, text }) =>
        headers.get('content-type')?.includes('html') === true
          ? {
              text: text.replace('<body>', '<body><!-- <form action="http://old.example/login"></form> -->'),
            }
          : undefined,
    )([]),
  }
  expect(await failedOn(commented, ['ENV-12'])).toEqual([])
})
