import { afterEach, expect, test } from 'vitest'
import { dialects } from '../../bank/dialects/generated.ts'
import { resolveTarget } from '../../engine/run/target.ts'
import { judgeCheck } from '../../engine/judge.ts'
import { createScenarioRunner } from '../../engine/run-scenario.ts'
import { EFFECTS, type Exchange } from '../../evidence/exchange.ts'
import { openMemoryJournal, type ReadableJournal } from '../../evidence/journal.ts'
import type { KnownSecret } from '../../evidence/redaction.ts'
import { buildPlan } from '../../plan/build-plan.ts'
import { loadCatalogue } from '../../plan/catalogue.ts'
import { profileSchema, type Profile, type ProfileInput } from '../../profile/schema.ts'
import { openSink } from '../../session/webhooks/sink/server.ts'
import { createSink, type Sink } from '../../session/webhooks/sink/sink.ts'
import { createEmbeddedTarget } from '../../connection/embedded.ts'
import { dialectProfile, referenceProfile } from '../../connection/reference-bank/reference-profile.ts'
import { createRemoteTarget } from '../../connection/target-http.ts'
import type { Target } from '../../connection/target.ts'
import { startServerProcess } from '../server-process.ts'
import { credentials } from '../banks/independent/credentials.ts'

/**
 * What was sent and received in a run, compared with what the evidence says of it: pseudonyms stand in the place of
 * secrets, and everything else is as it was. Takes about 60 s.
 */

const catalogue = await loadCatalogue()
const checks = new Map(catalogue.checks.map(({ key, check }) => [key, check]))
const SEED = 11

/** An exchange, and what is written of it. */
type Pair = readonly [sent: Exchange, written: Exchange]

/** A bank, and the chapters that are judged at it. */
interface Subject {
  readonly profile: Profile
  readonly secrets: readonly KnownSecret[]
  readonly target: Target
  readonly sink: Sink
  readonly isVirtual: boolean
  readonly only: readonly string[]
}

const ends: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(ends.splice(0).map((end) => end())))

const pairsOf = async ({
  profile,
  secrets,
  target,
  sink,
  isVirtual,
  only,
}: Subject): Promise<readonly Pair[]> => {
  const options = { only, skip: [], allow: EFFECTS, seed: SEED, runs: 2, time: 'auto' } as const
  const plan = buildPlan(catalogue, { profile, virtual: isVirtual }, options)
  const pairs: Pair[] = []
  const written = openMemoryJournal()
  const journal: ReadableJournal = {
    ...written,
    write(exchange, redactor) {
      written.write(exchange, redactor)
      pairs.push([exchange, written.read(exchange.id) ?? exchange])
    },
  }
  const perform = createScenarioRunner({
    target,
    journal,
    secrets,
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
  return pairs
}

const secretsIn = ({ applications, customers }: Profile): readonly KnownSecret[] => [
  ...applications.map(({ clientSecret }) => ({ name: 'client_secret', value: clientSecret })),
  ...customers.map(({ password }) => ({ name: 'password', value: password })),
]

/** The reference bank, in this process. */
const embedded = (own: ProfileInput, dialect?: (typeof dialects)[number]): Subject => {
  const profile = profileSchema.parse({ ...own, personalData: 'kept' })
  const sink = createSink('http://sink.example/webhook')
  const target = createEmbeddedTarget(profile, {
    faultsFor: () => (dialect === undefined ? {} : { dialect }),
    socket: false,
    deliver: (request) => sink.receive(request),
  })
  ends.push(() => target.close())
  return { profile, secrets: secretsIn(profile), target, sink, isVirtual: true, only: [] }
}

/** A bank that was written only from the text of the interface, in a process of its own. */
interface OtherBank {
  readonly program: string
  readonly args: readonly string[]
  readonly profile: string
  readonly credentials: NodeJS.ProcessEnv
  readonly only: readonly string[]
  readonly personalData: Profile['personalData']
}

const inProcess = async ({
  program,
  args,
  profile: file,
  credentials,
  only,
  personalData,
}: OtherBank): Promise<Subject> => {
  const bank = await startServerProcess(program, args)
  ends.push(() => bank.stop())
  const subject = await resolveTarget(
    { profile: file, baseUrl: bank.url, environment: undefined, webhookUrl: undefined },
    credentials,
  )
  const profile: Profile = { ...subject.profile, personalData }
  const target = createRemoteTarget(profile, bank.url)
  const sink = await openSink({ host: '127.0.0.1', port: 0 })
  ends.push(
    () => target.close(),
    () => sink.close(),
  )
  return { profile, secrets: subject.secrets, target, sink: sink.sink, isVirtual: false, only }
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

const PSEUDONYM = /\[[\w-]+:[\da-f]+\]/

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

const BASIC = /\b(Basic) ([\w+/-]+={0,2})(?![^\s\\])/gi

const withDecodedCredentials = (text: string): string =>
  text.replaceAll(BASIC, (_, scheme: string, encoded: string) => {
    const [id = '', secret = ''] = Buffer.from(encoded, 'base64').toString().split(/:(.*)/s)
    return `${scheme} ${id}:${secret}`
  })

/**
 * Texts in which the credentials of each Basic header are decoded: in a header they are written so (RFC 7617 §2), and in
 * a body that quotes the header they are encoded again.
 */
const compared = (place: string, sent: string, written: string): readonly [string, string] => [
  withDecodedCredentials(sent),
  place.endsWith(' body') ? withDecodedCredentials(written) : written,
]

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

/** The account numbers and the names that the profile has. */
const personalIn = ({ customers, payments }: Profile): readonly string[] => [
  ...customers.flatMap(({ accounts }) => accounts.map(({ iban }) => iban)),
  ...(payments === undefined
    ? []
    : [payments.debtor, payments.creditor].flatMap(({ iban, name }) => [iban, name])),
]

const dialect = dialects.at(-1)

const BANKS: Readonly<Record<string, () => Subject | Promise<Subject>>> = {
  'the reference bank': () => embedded(referenceProfile()),
  'the reference bank in a generated dialect': () =>
    embedded(dialectProfile(dialect?.id ?? '', 'sandbox'), dialect),
  'an independent bank, whose customers have pseudonyms, and that echoes each request of an authorization':
    () =>
      inProcess({
        program: 'harness/testing/banks/independent/main.ts',
        args: ['--choose', 'echoesRequests=true'],
        profile: 'harness/testing/banks/independent/saltmarsh.yaml',
        credentials,
        only: ['consent', 'authorization', 'tokens', 'accounts', 'webhooks', 'payments', 'loans'],
        personalData: 'pseudonyms',
      }),
}

test.each(Object.entries(BANKS))(
  'the evidence of %s has pseudonyms in place of secrets, and is else what was on the wire',
  async (_, open) => {
    const subject = await open()
    const clear = clearIn(subject.profile)
    const pairs = await pairsOf(subject)
    const replaced: string[] = []
    const changed: string[] = []
    // The answers of test hooks explain refused settings in members that have the names of secrets.
    for (const [sent, written] of pairs.filter(([{ sender }]) => sender !== 'testHook')) {
      const texts = textsOf(written)
      for (const [place, text] of textsOf(sent)) {
        const found = replacedIn(...compared(place, text, texts.get(place) ?? ''))
        if (found === undefined) changed.push(`${sent.id} ${place}: ${text} became ${texts.get(place) ?? ''}`)
        else replaced.push(...found)
      }
    }
    expect(changed.slice(0, 5)).toEqual([])
    if (subject.profile.personalData === 'pseudonyms') {
      const all = JSON.stringify(pairs.map(([, written]) => written))
      for (const personal of personalIn(subject.profile)) expect(all).not.toContain(personal)
    }
    expect(replaced.filter((value) => clear.has(value))).toEqual([])
    expect(pairs.length).toBeGreaterThan(1000)
    expect(replaced.length).toBeGreaterThan(1000)
  },
)
