import { check, isRefusedBetween } from '../../harness/check/index.ts'
import { change, createVerifier, scenario } from '../../harness/session/index.ts'
import type { ObservedExchange } from '../../harness/check/index.ts'
import type { Application, Change, Grant, Random } from '../../harness/session/index.ts'
import { checkRefused } from '../shared/refused.ts'
import { TOK } from './requirements.ts'
import { exchangesOfOneCode } from './token-requests.ts'
import {
  otherCase,
  urisResembling,
  urisSpelledLike,
  withOneLetterRecased,
  wrongSecrets,
} from '../shared/values.ts'

/** Values that a bank compares character by character, each tried with one small difference. */

type ChangeOf = (grant: Grant) => Change

/** Of letters only, so that each has another case; of a length that stays legal with one character more or less. */
const verifierOfLetters = (random: Random): string =>
  [1, 2, 3].reduce((text) => text + createVerifier(random).replaceAll(/[^A-Za-z]/g, 'x'), '').slice(0, 100)

const MISTAKES = {
  'is another one': (letter: string) => (letter === 'a' ? 'b' : 'a'),
  'is of the other case': otherCase,
  'is missing': () => '',
  'stands twice': (letter: string) => letter + letter,
} as const

const PLACES = { first: 0, middle: 50, last: 99 } as const

const withMistake = (text: string, place: number, mistake: (letter: string) => string): string =>
  text.slice(0, place) + mistake(text.charAt(place)) + text.slice(place + 1)

const verifiers: Readonly<Record<string, ChangeOf>> = Object.fromEntries(
  Object.entries(PLACES).flatMap(([name, place]) =>
    Object.entries(MISTAKES).map(([mistake, make]): [string, ChangeOf] => [
      `the ${name} character of its code_verifier ${mistake}`,
      ({ verifier }) => change.form('code_verifier', withMistake(verifier, place, make)),
    ]),
  ),
)

const secretsOf = ({
  profile: { clientId, clientSecret },
}: Application): Readonly<Record<string, ChangeOf>> =>
  Object.fromEntries(
    wrongSecrets(clientSecret).map(({ value, because }) => [because, () => change.basic(clientId, value)]),
  )

/** Those with the same meaning as well: the strings are compared. */
const urisLike = (right: string): Readonly<Record<string, ChangeOf>> => {
  const withAPort = right.replace(/^(https:\/\/[^/:?#]+)(?=[/?#]|$)/, '$1:443')
  const spelled = [withAPort, urisSpelledLike(right).at(-1) ?? right]
  const uris = [...urisResembling(right), ...spelled].filter((uri) => uri !== right)
  return Object.fromEntries(
    uris.map((uri) => [`its redirect_uri is ${uri}`, () => change.form('redirect_uri', uri)]),
  )
}

/** The registered address with a query, where there is one: more of it can be changed. */
const longestUriOf = ({ profile }: Application): string => {
  const [first] = profile.redirectUris
  return (profile.redirectUris.find(({ uri }) => uri.includes('?')) ?? first)?.uri ?? ''
}

/** Of each in turn. A bank may shut a client out that fails too often: the right secret comes in between. */
const alternating = (
  ...groups: readonly Readonly<Record<string, ChangeOf>>[]
): Readonly<Record<string, ChangeOf>> => {
  const lists = groups.map((group) => Object.entries(group))
  const longest = Math.max(...lists.map(({ length }) => length))
  return Object.fromEntries(
    Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat(),
  )
}

const exact = scenario(
  'code exchanges with values that differ in one place',
  { effect: 'consent', as: 'each', authorizations: 3, needs: ['customer'] },
  async ({ app, random }) => {
    const { clientId, clientSecret } = app.profile
    const redirectUri = longestUriOf(app)
    const secrets = secretsOf(app)
    const before = await app.exchangeFreshCode()
    const proofs = await exchangesOfOneCode(app, alternating(secrets, verifiers), () => ({
      verifier: verifierOfLetters(random),
    }))
    const clients = { recased: () => change.basic(withOneLetterRecased(clientId), clientSecret) }
    const { changed, after } = await exchangesOfOneCode(
      app,
      { ...clients, ...urisLike(redirectUri) },
      () => ({ redirectUri }),
    )
    const { recased, ...uris } = changed
    const named = (names: object) =>
      Object.fromEntries(Object.entries(proofs.changed).filter(([name]) => Object.hasOwn(names, name)))
    const wrong = { secrets: named(secrets), verifiers: named(verifiers), uris }
    return { before, ...wrong, recased, afterProofs: proofs.after, after }
  },
)

type Calls = Readonly<Record<string, ObservedExchange>>

const areRefused = (before: ObservedExchange, calls: Calls, after: ObservedExchange): void => {
  for (const [because, changed] of Object.entries(calls))
    isRefusedBetween({ before, changed, after }, because)
}

check(TOK.wrongSecretIsRefused, exact, ({ before, secrets, afterProofs }) =>
  areRefused(before, secrets, afterProofs),
)

check(TOK.wrongVerifierIsRefused, exact, ({ before, verifiers: wrong, afterProofs }) =>
  areRefused(before, wrong, afterProofs),
)

check(TOK.anotherRedirectUriIsRefused, exact, ({ before, uris, after }) => areRefused(before, uris, after))

checkRefused(TOK.unknownClientIsRefused, exact, {
  recased: 'a letter of its client_id is of the other case',
})
