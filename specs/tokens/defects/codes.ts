import { breaking, isOfAFac, isOfATpp, meetingFor, where } from '../../shared/defects.ts'
import { readingExchanges } from './token-requests.ts'
import type { Known } from './token-requests.ts'
import type { Defect, Wire } from '../../../harness/bank/defect.ts'
import type { Rules } from '../../../harness/bank/rules.ts'
import { TOK } from '../requirements.ts'

/** Codes that are accepted although they were used, are unknown or have expired. */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How long an exchange waits for another one that may come, between finding a code and using it up. */
const OVERLAP_MS = 50

type Facts = Parameters<Rules['redeemsCode']>[0]

const ageOf = ({ code, now }: Pick<Facts, 'code' | 'now'>): number => now.getTime() - code.issuedAt.getTime()

/** Accepts some uses of a code after the first one. */
const forgettingUses =
  (isForgotten: (uses: number, facts: Facts) => boolean) =>
  (lawful: Rules): Partial<Rules> => {
    const uses = new Map<string, number>()
    return {
      redeemsCode: async (facts) => {
        const count = (uses.get(facts.code.value) ?? 0) + 1
        uses.set(facts.code.value, count)
        return (await lawful.redeemsCode(facts)) || isForgotten(count, facts)
      },
    }
  }

/** Reads an unknown code as a known one. */
const readAs = (meant: (value: string, codes: Known['codes']) => string | undefined): Wire =>
  readingExchanges(({ form }, { codes }) => {
    const value = form.get('code') ?? ''
    const found = value === '' || codes.includes(value) ? undefined : meant(value, codes)
    if (found !== undefined) form.set('code', found)
  })

/** Uses the code that was issued last, where the form `lacks` one. */
const lastCodeWhere = (lacks: (form: URLSearchParams) => boolean): Wire =>
  readingExchanges(({ form }, { codes }) => {
    const last = codes.at(-1)
    if (lacks(form) && last !== undefined) form.set('code', last)
  })

const uses: readonly Defect[] = [
  ...breaking(TOK.codeIsAcceptedOnce, {
    'code-is-never-used-up': {
      story: 'A code is accepted any number of times.',
      alsoBreaks: [TOK.codeIsAcceptedOnceAmongConcurrentExchanges],
      rules: forgettingUses(() => true),
    },
    'code-of-a-tpp-is-never-used-up': {
      story: 'The code of a TPP is accepted any number of times.',
      rules: forgettingUses((_, facts) => isOfATpp(facts)),
    },
    'code-is-accepted-the-third-time': {
      story: 'A code is refused the second time, its tokens are revoked, and it is accepted the third time.',
      alsoBreaks: [TOK.codeIsAcceptedOnceAmongConcurrentExchanges],
      rules: (lawful) => ({ ...forgettingUses((count) => count === 3)(lawful), codeIsRevoked: () => false }),
    },
    'used-code-is-forgotten-after-a-day': {
      story: 'A used code is accepted again after a day.',
      rules: (lawful) => {
        const isOld = (facts: Pick<Facts, 'code' | 'now'>): boolean => ageOf(facts) > DAY
        const revived = new Set<string>()
        return {
          redeemsCode: async (facts) => {
            if (await lawful.redeemsCode(facts)) return true
            if (isOld(facts)) revived.add(facts.code.value)
            return isOld(facts)
          },
          codeIsFresh: (facts) => revived.has(facts.code.value) || lawful.codeIsFresh(facts),
        }
      },
    },
  }),
  ...breaking(TOK.codeIsAcceptedOnceAmongConcurrentExchanges, {
    'code-is-looked-for-before-it-is-taken': {
      story: 'Exchanges of one code at the same moment are all accepted.',
      rules: () => {
        const meet = meetingFor(OVERLAP_MS)
        return {
          redeemsCode: async (facts) => {
            if (facts.redemptions.has(facts.code.value)) return false
            await meet()
            facts.redemptions.add(facts.code.value)
            return true
          },
        }
      },
    },
  }),
  ...breaking(TOK.replayedCodeRevokesItsTokens, {
    'replayed-code-revokes-nothing': {
      story: 'The tokens of a code stay valid when the code is used again.',
      rules: { replayRevokes: () => false },
    },
    'replayed-code-of-a-tpp-revokes-nothing': {
      story: 'The tokens of a TPP stay valid when their code is used again.',
      rules: where(isOfATpp, { replayRevokes: () => false }),
    },
  }),
]

const unknownCodes: readonly Defect[] = [
  ...breaking(TOK.unknownCodeIsRefused, {
    'code-is-known-by-its-beginning': {
      story: 'A code that lacks characters at its end is accepted.',
      wire: readAs((value, codes) => codes.find((code) => code.startsWith(value))),
    },
    'longer-code-is-accepted': {
      story: 'A code with more characters after the right one is accepted.',
      wire: readAs((value, codes) => codes.find((code) => value.startsWith(code))),
    },
    'code-is-compared-as-far-as-its-sixteenth-character': {
      story: 'Only the first sixteen characters of a code are compared.',
      wire: readAs((value, codes) => codes.find((code) => code.slice(0, 16) === value.slice(0, 16))),
    },
    'unknown-code-opens-the-last-grant': {
      story: 'In production an unknown code is read as the one that was issued last.',
      environment: 'production',
      wire: readAs((_, codes) => codes.at(-1)),
    },
  }),
  ...breaking(TOK.missingCodeIsRefused, {
    'missing-code-opens-the-last-grant': {
      story: 'A code exchange without a code uses the code that was issued last.',
      wire: lastCodeWhere((form) => !form.has('code')),
    },
    'empty-code-opens-the-last-grant': {
      story: 'A code exchange with an empty code uses the code that was issued last.',
      wire: lastCodeWhere((form) => form.get('code') === ''),
    },
  }),
]

const ages: readonly Defect[] = [
  ...breaking(TOK.codeExpiresShortly, {
    'code-never-expires': {
      story: 'A code never expires.',
      alsoBreaks: [TOK.codeExpiresWithinTenMinutes],
      rules: { codeIsFresh: () => true },
    },
    'code-of-a-tpp-never-expires-in-production': {
      story: 'In production the code of a TPP never expires.',
      alsoBreaks: [TOK.codeExpiresWithinTenMinutes],
      environment: 'production',
      rules: where(isOfATpp, { codeIsFresh: () => true }),
    },
    'code-expires-by-the-time-of-day': {
      story: 'Only the time of day of a code is compared, and not its date.',
      rules: (lawful) => ({
        codeIsFresh: (facts) => {
          const now = new Date(facts.code.issuedAt.getTime() + (ageOf(facts) % DAY))
          return lawful.codeIsFresh({ ...facts, now })
        },
      }),
    },
  }),
  ...breaking(TOK.codeExpiresWithinTenMinutes, {
    'code-lives-for-an-hour': {
      story: 'A code lives for an hour.',
      rules: { codeIsFresh: (facts) => ageOf(facts) < 60 * MINUTE },
    },
    'code-of-a-fac-lives-for-a-quarter-of-an-hour': {
      story: 'The code of a FAC lives for fifteen minutes.',
      rules: where((facts) => isOfAFac(facts) && ageOf(facts) < 15 * MINUTE, { codeIsFresh: () => true }),
    },
  }),
]

export const codeDefects: readonly Defect[] = [...uses, ...unknownCodes, ...ages]
