import { isOfATpp, rewordingRenewals, rewordingTokens } from './defect-wires.ts'
import { TOK } from './requirements.ts'
import type { Defect } from '../../harness/bank/defect.ts'

/** What a bank can get wrong in the form of its token answers. */

const membersOf = (text: string): Readonly<Record<string, unknown>> =>
  JSON.parse(text) as Readonly<Record<string, unknown>>

/** The text of an object with one of its members written once more. */
const repeating = (text: string, name: string): string =>
  `{${JSON.stringify(name)}:${JSON.stringify(membersOf(text)[name])},${text.slice(1)}`

export const defectsOfIssuingAnswers: readonly Defect[] = [
  {
    id: 'token-answer-is-an-array',
    story: 'The token answer is an array with one object.',
    breaks: [TOK.tokenAnswerIsAJsonObject],
    wire: rewordingTokens(({ text }) => ({ text: `[${text}]` })),
  },
  {
    id: 'token-answer-is-nested',
    story: 'The parameters of the token answer stand in an object of their own.',
    breaks: [TOK.tokenAnswerIsAJsonObject],
    wire: rewordingTokens(({ text }) => ({ text: `{"data":${text}}` })),
  },
  {
    id: 'token-answer-is-a-form',
    story: 'The token answer is a form, as drafts of OAuth 2.0 had it.',
    breaks: [TOK.tokenAnswerIsAJsonObject],
    wire: rewordingTokens(({ text, headers }) => {
      headers.set('content-type', 'application/x-www-form-urlencoded')
      const form = new URLSearchParams()
      for (const [name, value] of Object.entries(membersOf(text))) form.set(name, String(value))
      return { text: form.toString() }
    }),
  },
  {
    id: 'token-answer-is-text',
    story: 'The media type of the token answer is text/plain.',
    breaks: [TOK.tokenAnswerHasTheJsonMediaType],
    wire: rewordingTokens(({ headers }) => {
      headers.set('content-type', 'text/plain;charset=UTF-8')
      return {}
    }),
  },
  {
    id: 'token-answer-of-a-tpp-is-text-json',
    story: 'The media type of the token answer is text/json where a TPP asks.',
    breaks: [TOK.tokenAnswerHasTheJsonMediaType],
    wire: rewordingTokens(({ headers }, { form }) => {
      if (isOfATpp(form)) headers.set('content-type', 'text/json')
      return {}
    }),
  },
  {
    id: 'token-answer-is-created',
    story: 'Tokens are issued with the status 201.',
    breaks: [TOK.tokenAnswerHasStatus200],
    wire: rewordingTokens(() => ({ status: 201 })),
  },
  {
    id: 'token-answer-is-accepted-the-second-time',
    story: 'From the second grant on, tokens are issued with the status 202.',
    breaks: [TOK.tokenAnswerHasStatus200],
    wire: rewordingTokens((_, { count }) => (count > 1 ? { status: 202 } : {})),
  },
  {
    id: 'token-answer-says-expires-in-twice',
    story: 'The token answer has expires_in twice, with the same value.',
    breaks: [TOK.tokenAnswerNamesEachFieldOnce],
    wire: rewordingTokens(({ text }) => ({ text: repeating(text, 'expires_in') })),
  },
  {
    id: 'token-answer-of-a-tpp-says-scope-twice',
    story: 'The token answer of a TPP has scope twice, with the same value.',
    breaks: [TOK.tokenAnswerNamesEachFieldOnce],
    wire: rewordingTokens(({ text }, { form }) => (isOfATpp(form) ? { text: repeating(text, 'scope') } : {})),
  },
  {
    id: 'token-answer-may-be-stored',
    story: 'The token answer says no-cache, and not no-store.',
    breaks: [TOK.tokenAnswerIsNotStored],
    wire: rewordingTokens(({ headers }) => {
      headers.set('cache-control', 'no-cache')
      return {}
    }),
  },
  {
    id: 'token-answer-of-a-tpp-may-be-stored',
    story: 'The token answer of a TPP has no Cache-Control header.',
    breaks: [TOK.tokenAnswerIsNotStored],
    wire: rewordingTokens(({ headers }, { form }) => {
      if (isOfATpp(form)) headers.delete('cache-control')
      return {}
    }),
  },
  {
    id: 'token-answer-may-be-stored-in-production',
    story: 'In production, the token answer may be stored by the one who asked.',
    breaks: [TOK.tokenAnswerIsNotStored],
    environment: 'production',
    wire: rewordingTokens(({ headers }) => {
      headers.set('cache-control', 'private, max-age=0')
      return {}
    }),
  },
  {
    id: 'later-token-answers-may-be-stored',
    story: 'The third token answer and those behind it come from a node whose directive is misspelled.',
    breaks: [TOK.tokenAnswerIsNotStored],
    wire: rewordingTokens(({ headers }, { count }) => {
      if (count > 2) headers.set('cache-control', 'no-store-at-all')
      return {}
    }),
  },
  {
    id: 'renewed-tokens-may-be-stored',
    story: 'The tokens of a code exchange may not be stored, and those of a refresh may.',
    breaks: [TOK.tokenAnswerIsNotStored],
    wire: rewordingRenewals(({ headers }) => {
      headers.delete('cache-control')
      return {}
    }),
  },
  {
    id: 'renewed-tokens-are-created',
    story: 'A refresh is answered with the status 201.',
    breaks: [TOK.tokenAnswerHasStatus200],
    wire: rewordingRenewals(() => ({ status: 201 })),
  },
  {
    id: 'token-answer-has-no-pragma',
    story: 'The token answer has no Pragma header.',
    breaks: [TOK.tokenAnswerHasPragma],
    wire: rewordingTokens(({ headers }) => {
      headers.delete('pragma')
      return {}
    }),
  },
  {
    id: 'token-answer-of-a-fac-has-another-pragma',
    story: 'The Pragma header of the token answer says no-store where a FAC asks.',
    breaks: [TOK.tokenAnswerHasPragma],
    wire: rewordingTokens(({ headers }, { form }) => {
      if (!isOfATpp(form)) headers.set('pragma', 'no-store')
      return {}
    }),
  },
]
