import { followsRecipe } from './answers.ts'
import { completed, offersPayments } from './given.ts'
import { quoted } from './next-steps.ts'
import type { Given } from './given.ts'

/** The command that says what was answered, for whoever wants no questions the next time. */
export const sameCommand = (given: Given, file: string): string => {
  const { baseUrl, environment, name, kind, authorization, variant, customer } = completed(given)
  const { variables, redirectUris, webhook } = completed(given)
  const options: readonly (readonly [option: string, ...values: readonly string[]])[] = [
    ['--base-url', baseUrl],
    ['--environment', environment],
    ['--name', name],
    ...(given.basePath === undefined ? [] : [['--base-path', given.basePath] as const]),
    ['--kind', kind],
    ['--client-id-env', variables.clientId],
    ['--client-secret-env', variables.clientSecret],
    ['--redirect-uri', ...redirectUris.map(({ uri }) => uri)],
    ['--delivery', ...redirectUris.map(({ delivery }) => delivery)],
    ['--authorization', authorization],
    ['--customer', customer],
    ...(followsRecipe(authorization)
      ? [['--username-env', variables.username] as const, ['--password-env', variables.password] as const]
      : []),
    ...(authorization === 'tokens' ? [['--access-token-env', variables.accessToken] as const] : []),
    ['--accounts-variant', variant],
    ...(offersPayments(given)
      ? [['--debtor', given.debtor ?? ''] as const, ['--creditor', given.creditor ?? ''] as const]
      : []),
    ...(given.loans === true ? [['--loans'] as const] : []),
    ...(webhook === undefined
      ? []
      : [['--webhook-url', webhook.url] as const, ['--webhook-port', String(webhook.port)] as const]),
    ['--out', file],
  ]
  const words = options.map(([option, ...values]) => [option, ...values.map(quoted)].join(' '))
  return `npm run init -- ${words.join(' \\\n  ')}`
}
