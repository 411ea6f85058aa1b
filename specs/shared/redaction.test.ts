import { describe, expect, test } from 'vitest'
import { dialects } from '../../harness/bank/dialects/index.ts'
import type { Dialect } from '../../harness/bank/defect.ts'
import { judgeCheck } from '../../harness/engine/judge.ts'
import { createScenarioRunner } from '../../harness/engine/run-scenario.ts'
import { EFFECTS, type Exchange } from '../../harness/evidence/exchange.ts'
import type { Journal } from '../../harness/evidence/journal.ts'
import { buildPlan } from '../../harness/plan/build-plan.ts'
import { loadCatalogue } from '../../harness/plan/catalogue.ts'
import { profileSchema, type Profile } from '../../harness/profile/schema.ts'
import { createSink } from '../../harness/session/webhooks/sink/sink.ts'
import { createEmbeddedTarget } from '../../harness/target/embedded.ts'
import { dialectProfile, referenceProfile } from '../../harness/target/reference-bank/reference-profile.ts'

/**
 * What was sent and received in a whole run, compared with what the evidence says of it: pseudonyms stand in the place of
 * secrets, and everything else is as it was. Slow: one run of the catalogue, and parts of it in two dialects.
 */

const catalogue = await loadCatalogue()
const checks = new Map(catalogue.checks.map(({ key, check }) => [key, check]))
const SEED = 11
/** Their messages have other forms in a dialect. */
const IN_DIALECTS = ['authorization', 'accounts', 'webhooks', 'loans']

/** An exchange, and what is written of it. */
type Pair = readonly [sent: Exchange, written: Exchange]

const secretsIn = ({ applications, customers }: Profile) => [
  ...applications.map(({ clientSecret }) => ({ name: 'client_secret', value: clientSecret })),
  ...customers.map(({ password }) => ({ name: 'password', value: password })),
]

const runOn = async (dialect: Dialect | undefined): Promise<{ profile: Profile; pairs: readonly Pair[] }> => {
  const own = dialect === undefined ? referenceProfile() : dialectProfile(dialect.id, 'sandbox')
  const profile = profileSchema.parse({ ...own, personalData: 'kept' })
  const plan = buildPlan(
    catalogue,
    { profile, virtual: true },
    {
      only: dialect === undefined ? [] : IN_DIALECTS,
      skip: [],
      allow: EFFECTS,
      seed: SEED,
      runs: 2,
      time: 'auto',
    },
  )
  const pairs: Pair[] = []
  const journal: Journal = {
    write: (exchange, redactor) => pairs.push([exchange, redactor.exchange(exchange)]),
    close: () => undefined,
  }
  const sink = createSink('http://sink.example/webhook')
  const target = createEmbeddedTarget(profile, {
    faultsFor: () => (dialect === undefined ? {} : { dialect }),
    socket: false,
    deliver: (request) => sink.receive(request),
  })
  const perform = createScenarioRunner({
    target,
    journal,
    secrets: secretsIn(profile),
    allowed: plan.effects,
    concurrency: 1,
    time: 'auto',
    sink: async () => sink,
  })
  for (const planned of plan.checks.filter(({ heldBack }) => heldBack === undefined)) {
    const check = checks.get(planned.key)
    if (check === undefined) throw new Error(`the plan has a check that no spec file states: ${planned.key}`)
    await judgeCheck(planned, check, perform(planned, check.scenario), plan)
  }
  await target.close()
  return { profile, pairs }
}

/** Every text of an exchange, with its place. */
const textsOf = ({ request, response }: Exchange): ReadonlyMap<string, string> =>
  new Map([
    ['url', request.url],
    ...request.headers.map(([name, value], at) => [`request ${at} ${name}`, value] as const),
    ['request body', request.body?.text ?? ''],
    ...(response?.headers ?? []).map(([name, value], at) => [`response ${at} ${name}`, value] as const),
    ['response body', response?.body.text ?? ''],
  ])

const PSEUDONYM = /\[[\w-]+:\d+\]/

/** What stands in the place of each pseudonym; undefined if anything else differs. */
const replacedIn = (sent: string, written: string): readonly string[] | undefined => {
  const [first = '', ...rest] = written.split(PSEUDONYM)
  if (!sent.startsWith(first)) return undefined
  const replaced: string[] = []
  let at = first.length
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1
    const next = isLast ? sent.length - part.length : sent.indexOf(part, at)
    if (next < at || !sent.startsWith(part, next)) return undefined
    replaced.push(sent.slice(at, next))
    at = next + part.length
  }
  return at === sent.length ? replaced : undefined
}

/** The credentials of a Basic header are written decoded (RFC 7617 §2). */
const decoded = (text: string): string =>
  text.replace(/^(basic) (.+)$/i, (_, scheme: string, credentials: string) => {
    const [id = '', secret = ''] = Buffer.from(credentials, 'base64').toString().split(/:(.*)/s)
    return `${scheme} ${id}:${secret}`
  })

/** What every client may show: it is sent in clear, or the interface names it. */
const clearIn = ({ applications, scopes }: Profile): ReadonlySet<string> =>
  new Set([
    ...applications.flatMap(({ clientId, redirectUris }) => [
      clientId,
      ...redirectUris.map(({ uri }) => uri),
    ]),
    scopes.accounts,
    ...['code', 'S256', 'authorization_code', 'refresh_token', 'Bearer', 'application/json', 'PAY_LATER'],
  ])

const banks = [undefined, ...dialects].map((dialect) => [dialect?.id ?? 'no dialect', dialect] as const)

describe.each(banks)('a bank with %s', (_, dialect) => {
  test('evidence replaces secrets, and nothing else', { timeout: 300_000 }, async () => {
    const { profile, pairs } = await runOn(dialect)
    const clear = clearIn(profile)
    const replaced: string[] = []
    const changed: string[] = []
    // The answers of test hooks explain refused settings in members that have the names of secrets.
    for (const [sent, written] of pairs.filter(([{ sender }]) => sender !== 'testHook')) {
      const texts = textsOf(written)
      for (const [place, text] of textsOf(sent)) {
        const wire = place.endsWith(' Authorization') ? decoded(text) : text
        const found = replacedIn(wire, texts.get(place) ?? '')
        if (found === undefined) changed.push(`${sent.id} ${place}: ${text} became ${texts.get(place) ?? ''}`)
        else replaced.push(...found)
      }
    }
    expect(changed.slice(0, 5)).toEqual([])
    expect(replaced.filter((value) => clear.has(value))).toEqual([])
    expect(pairs.length).toBeGreaterThan(1000)
    expect(replaced.length).toBeGreaterThan(1000)
  })
})
