import { readingExchanges } from './defect-wires.ts'
import { meetingFor } from '../overlap.ts'
import { TOK } from './requirements.ts'
import type { Known } from './defect-wires.ts'
import type { Defect, Wire } from '../../harness/bank/defect.ts'
import type { Rules } from '../../harness/bank/rules.ts'

/** What a bank can get wrong about codes: which it knows, how often, and for how long. */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How long an exchange may wait for another one, between looking for a code and taking it. */
const OVERLAP_MS = 50

type Facts = Parameters<Rules['redeemsCode']>[0]

const ageOf = ({ code, now }: Pick<Facts, 'code' | 'now'>): number => now.getTime() - code.issuedAt.getTime()

/** Accepts a used code whose so manieth use it is. */
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

/** Reads a code that the bank does not know as one that it does. */
const readAs = (meant: (value: string, codes: Known['codes']) => string | undefined): Wire =>
  readingExchanges(({ form }, { codes }) => {
    const value = form.get('code') ?? ''
    const found = value === '' || codes.includes(value) ? undefined : meant(value, codes)
    if (found !== undefined) form.set('code', found)
  })

/** Takes the code that was issued last, where the form `lacks` one. */
const lastCodeWhere = (lacks: (form: URLSearchParams) => boolean): Wire =>
  readingExchanges(({ form }, { codes }) => {
    const last = codes.at(-1)
    if (lacks(form) && last !== undefined) form.set('code', last)
  })

const uses: readonly Defect[] = [
  {
    id: 'code-is-never-used-up',
    story: 'A code is accepted as often as it is sent.',
    breaks: [TOK.codeIsAcceptedOnce, TOK.codeIsAcceptedOnceAmongConcurrentExchanges],
    rules: forgettingUses(() => true),
  },
  {
    id: 'code-of-a-tpp-is-never-used-up',
    story: 'The code of a TPP is accepted as often as it is sent.',
    breaks: [TOK.codeIsAcceptedOnce],
    rules: forgettingUses((_, { client }) => client.kind === 'TPP'),
  },
  {
    id: 'code-is-accepted-the-third-time',
    story:
      'A code is refused the second time, with all that came of it revoked, and accepted the third time.',
    breaks: [TOK.codeIsAcceptedOnce, TOK.codeIsAcceptedOnceAmongConcurrentExchanges],
    rules: (lawful) => ({ ...forgettingUses((count) => count === 3)(lawful), codeIsRevoked: () => false }),
  },
  {
    id: 'used-code-is-forgotten-after-a-day',
    story: 'A code that was used is accepted once more when its use has been swept away, a day later.',
    breaks: [TOK.codeIsAcceptedOnce],
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
  {
    id: 'code-is-looked-for-before-it-is-taken',
    story: 'Exchanges of one code at the same moment all find it, before the first of them takes it.',
    breaks: [TOK.codeIsAcceptedOnceAmongConcurrentExchanges],
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
  {
    id: 'replayed-code-revokes-nothing',
    story: 'The tokens of a code stay valid when the code is used again.',
    breaks: [TOK.replayedCodeRevokesItsTokens],
    rules: { replayRevokes: () => false },
  },
  {
    id: 'replayed-code-of-a-tpp-revokes-nothing',
    story: 'The tokens of a TPP stay valid when their code is used again.',
    breaks: [TOK.replayedCodeRevokesItsTokens],
    rules: { replayRevokes: ({ client }) => client.kind === 'FAC' },
  },
]

const unknownCodes: readonly Defect[] = [
  {
    id: 'code-is-known-by-its-beginning',
    story: 'A code is accepted that begins like one that was issued.',
    breaks: [TOK.unknownCodeIsRefused],
    wire: readAs((value, codes) => codes.find((code) => code.startsWith(value))),
  },
  {
    id: 'longer-code-is-accepted',
    story: 'Of a code, what stands behind one that was issued is ignored.',
    breaks: [TOK.unknownCodeIsRefused],
    wire: readAs((value, codes) => codes.find((code) => value.startsWith(code))),
  },
  {
    id: 'code-is-compared-as-far-as-its-sixteenth-character',
    story: 'Codes are told apart by their first sixteen characters.',
    breaks: [TOK.unknownCodeIsRefused],
    wire: readAs((value, codes) => codes.find((code) => code.slice(0, 16) === value.slice(0, 16))),
  },
  {
    id: 'unknown-code-opens-the-last-grant',
    story: 'In production, a code that is not found is taken for the one that was issued last.',
    breaks: [TOK.unknownCodeIsRefused],
    environment: 'production',
    wire: readAs((_, codes) => codes.at(-1)),
  },
  {
    id: 'missing-code-opens-the-last-grant',
    story: 'A code exchange without a code is taken for one of the last grant.',
    breaks: [TOK.missingCodeIsRefused],
    wire: lastCodeWhere((form) => !form.has('code')),
  },
  {
    id: 'empty-code-opens-the-last-grant',
    story: 'A code exchange with an empty code is taken for one of the last grant.',
    breaks: [TOK.missingCodeIsRefused],
    wire: lastCodeWhere((form) => form.get('code') === ''),
  },
]

const ages: readonly Defect[] = [
  {
    id: 'code-never-expires',
    story: 'A code is accepted whenever it comes.',
    breaks: [TOK.codeExpiresShortly, TOK.codeExpiresWithinTenMinutes],
    rules: { codeIsFresh: () => true },
  },
  {
    id: 'code-of-a-tpp-never-expires-in-production',
    story: 'In production, the code of a TPP is accepted whenever it comes.',
    breaks: [TOK.codeExpiresShortly, TOK.codeExpiresWithinTenMinutes],
    environment: 'production',
    rules: (lawful) => ({
      codeIsFresh: (facts) => facts.client.kind === 'TPP' || lawful.codeIsFresh(facts),
    }),
  },
  {
    id: 'code-expires-by-the-time-of-day',
    story: 'Of the time of its issue, a code keeps the time of day and not the date.',
    breaks: [TOK.codeExpiresShortly],
    rules: (lawful) => ({
      codeIsFresh: (facts) => {
        const now = new Date(facts.code.issuedAt.getTime() + (ageOf(facts) % DAY))
        return lawful.codeIsFresh({ ...facts, now })
      },
    }),
  },
  {
    id: 'code-lives-for-an-hour',
    story: 'A code lives for an hour.',
    breaks: [TOK.codeExpiresWithinTenMinutes],
    rules: { codeIsFresh: (facts) => ageOf(facts) < 60 * MINUTE },
  },
  {
    id: 'code-of-a-fac-lives-for-a-quarter-of-an-hour',
    story: 'The code of a FAC lives for fifteen minutes.',
    breaks: [TOK.codeExpiresWithinTenMinutes],
    rules: (lawful) => ({
      codeIsFresh: (facts) =>
        (facts.client.kind === 'FAC' && ageOf(facts) < 15 * MINUTE) || lawful.codeIsFresh(facts),
    }),
  },
]

export const defectsOfRefusingCodes: readonly Defect[] = [...uses, ...unknownCodes, ...ages]
