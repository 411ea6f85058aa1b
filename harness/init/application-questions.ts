import { AUTHORIZATIONS, neededVariables, variablesOf } from './answers.ts'
import { completed, DEFAULTS } from './given.ts'
import { ask } from './question.ts'
import type { Authorization } from './answers.ts'
import type { Step } from './question.ts'

/** The application that is registered at the bank, and the customer who authorizes it. */

export const askKind: Step = async ({ given }, { interviewer }) => {
  if (given.kind !== undefined) return given
  const kind = await interviewer.choose({
    message: 'What kind of application is registered for you there?',
    options: [
      { value: 'TPP', label: 'TPP', hint: 'acts for its customers' },
      { value: 'FAC', label: 'FAC', hint: 'uses its own data' },
    ],
    preset: DEFAULTS.kind,
  })
  return { ...given, kind }
}

export const askRedirectUris: Step = async ({ given }, interview) => {
  if (given.redirectUris !== undefined) return given
  const asked = await ask(given, interview, {
    message: 'Redirect URIs, as they are registered (a blank between several)',
    example: 'https://client.example/callback',
    say: (answer) => ({ redirectUris: answer.split(/[\s,]+/) }),
  })
  const { redirectUris = [] } = asked
  const shown = await interview.interviewer.chooseSome({
    message: 'At which of them does the bank show the code on a page of its own, instead of redirecting?',
    options: redirectUris.map((uri) => ({ value: uri, label: uri })),
    preset: [],
  })
  return {
    ...asked,
    deliveries: redirectUris.map((uri) => (shown.includes(uri) ? 'result-screen' : 'redirect')),
  }
}

const WAYS: Readonly<Record<Authorization, { readonly label: string; readonly hint: string }>> = {
  pages: { label: "a recipe for the bank's pages", hint: 'forms that need no script' },
  browser: { label: 'a recipe, in a real browser', hint: 'pages that need scripts; needs a Chromium' },
  person: { label: 'a person, who is shown a link', hint: 'for what no recipe can do' },
  tokens: { label: 'nobody: there are tokens already', hint: 'only what reads is judged' },
}

export const askAuthorization: Step = async ({ given }, { interviewer }) => {
  if (given.authorization !== undefined) return given
  const authorization = await interviewer.choose({
    message: 'Who logs in and agrees as the customer?',
    options: AUTHORIZATIONS.map((value) => ({ value, ...WAYS[value] })),
    preset: DEFAULTS.authorization,
  })
  return { ...given, authorization }
}

/** One question for all of them; a name that was given by an option stays. */
export const askVariables: Step = async ({ given }, interview) => {
  const { variables = {} } = given
  const named = new Set(Object.values(variables))
  if (neededVariables(completed(given)).every((name) => named.has(name))) return given
  const asked = await ask(given, interview, {
    message: 'Secrets are read from environment variables. What do the names of these begin with?',
    preset: DEFAULTS.prefix,
    say: (prefix) => ({ variables: { ...variablesOf(prefix), ...variables } }),
  })
  interview.interviewer.tell(`They are ${neededVariables(completed(asked)).join(', ')}.`)
  return asked
}
