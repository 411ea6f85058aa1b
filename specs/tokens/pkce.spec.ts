import { constantFrom, string } from 'fast-check'
import {
  check,
  change,
  createVerifier,
  isAcceptedToo,
  isRefusedBetween,
  property,
} from '../../harness/check/index.ts'
import { TOK } from './requirements.ts'
import { UNRESERVED } from './verifiers.ts'

const legal = string({
  unit: constantFrom(...Array.from(UNRESERVED)),
  minLength: 43,
  maxLength: 128,
  size: 'max',
})

const verifiers = property(
  'a code exchange with any code_verifier that PKCE allows',
  { effect: 'consent', as: 'any', authorizations: 1, needs: ['customer'] },
  legal,
  async (session, verifier) => {
    const { app } = session
    return session.alike(
      () => app.exchangeFreshCode(),
      async () => app.exchangeCode(await app.grant({ verifier })),
    )
  },
)

check(TOK.everyLegalVerifierIsAccepted, verifiers, (attempts) =>
  isAcceptedToo(attempts, 'its code_verifier is one that PKCE allows, and that of the code_challenge'),
)

/** Of letters alone, so that each has another case, and of a length that stays lawful with one more or less. */
const letters = (): string =>
  [1, 2, 3].reduce((text) => text + createVerifier().replaceAll(/[^A-Za-z]/g, 'x'), '').slice(0, 100)

const otherCase = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()

const MISTAKES = {
  'a character is another one': (letter: string) => (letter === 'a' ? 'b' : 'a'),
  'a letter is of the other case': otherCase,
  'a character is missing': () => '',
  'a character stands twice': (letter: string) => letter + letter,
} as const

const mistaken = (verifier: string, place: number, mistake: (letter: string) => string): string =>
  verifier.slice(0, place) + mistake(verifier.charAt(place)) + verifier.slice(place + 1)

const mistakes = property(
  'code exchanges with one mistake in the code_verifier',
  { effect: 'consent', as: 'any', authorizations: 6, needs: ['customer'] },
  // The first, one behind those that the shortest code_verifier has, and the last. Few, since each takes six grants.
  constantFrom(0, 43, 99),
  async ({ app }, place) => {
    const verifier = letters()
    const grant = () => app.grant({ verifier })
    const before = await app.exchangeCode(await grant())
    const changed = []
    for (const mistake of Object.values(MISTAKES)) {
      const wrong = mistaken(verifier, place, mistake)
      changed.push(await app.exchangeCode(await grant(), change.form('code_verifier', wrong)))
    }
    return { before, changed, after: await app.exchangeCode(await grant()) }
  },
)

check(TOK.wrongVerifierIsRefused, mistakes, ({ before, changed, after }) => {
  for (const [at, mistake] of Object.keys(MISTAKES).entries())
    isRefusedBetween({ before, changed: changed.slice(at, at + 1), after }, `in its code_verifier ${mistake}`)
})
