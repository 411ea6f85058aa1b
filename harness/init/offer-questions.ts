import { completed, DEFAULTS, offersPayments, portFor, unsaid } from './given.ts'
import { ask } from './question.ts'
import type { Variant } from './answers.ts'
import type { Look } from './look.ts'
import type { Step } from './question.ts'

/** What the bank offers beside the accounts. What answers is preset. */

const showing = (look: Look | undefined, name: 'secondVariant' | 'payments' | 'loans'): boolean =>
  look?.reached === true && look[name] === 'there'

/** Of the two variants, those that answer; the first, where nothing can be told. */
export const variantSeen = (look: Look | undefined): Variant => {
  if (!showing(look, 'secondVariant')) return DEFAULTS.variant
  return look?.reached === true && look.basePath === undefined && look.usualBasePath === 'absent'
    ? 'second'
    : 'both'
}

export const askVariant: Step = async ({ given, look }, { interviewer }) => {
  if (given.variant !== undefined) return given
  const variant = await interviewer.choose<Variant>({
    message: 'Which accounts variant does it offer?',
    options: [
      { value: 'first', label: 'the first', hint: 'GET /v1/accounts/{account-id}' },
      { value: 'second', label: 'the second', hint: 'POST /api/v1/accounts/information' },
      { value: 'both', label: 'both' },
    ],
    preset: variantSeen(look),
  })
  return { ...given, variant }
}

/** Asked only for what no option has spoken of. */
export const askOffers: Step = async ({ given, look }, { interviewer }) => {
  const open = [
    ...(given.payments === undefined && !offersPayments(given)
      ? [{ value: 'payments' as const, label: 'payments', hint: 'needs a debtor and a creditor' }]
      : []),
    ...(given.loans === undefined
      ? [{ value: 'loans' as const, label: 'instalment loans', hint: 'their sandbox' }]
      : []),
    ...(given.webhookUrl === undefined
      ? [
          {
            value: 'webhooks' as const,
            label: 'notifications',
            hint: 'needs an address that reaches this machine',
          },
        ]
      : []),
  ]
  if (open.length === 0 || given.authorization === 'tokens') return given
  const chosen = await interviewer.chooseSome({
    message: 'What else is to be judged?',
    options: open,
    preset: open.map(({ value }) => value).filter((value) => value !== 'webhooks' && showing(look, value)),
  })
  return {
    ...given,
    payments: given.payments ?? (offersPayments(given) || chosen.includes('payments')),
    loans: given.loans ?? chosen.includes('loans'),
    ...(chosen.includes('webhooks') && { webhookUrl: '' }),
  }
}

export const askDebtor: Step = async ({ given }, interview) =>
  !offersPayments(given) || given.debtor !== undefined
    ? given
    : ask(given, interview, {
        message: "Name and IBAN of one of the customer's accounts, from which payments go",
        example: 'Anna Nováková SK2998010000002600001129',
        say: (debtor) => ({ debtor }),
      })

export const askCreditor: Step = async ({ given }, interview) =>
  !offersPayments(given) || given.creditor !== undefined
    ? given
    : ask(given, interview, {
        message: 'Name and IBAN of the account to which they go',
        example: 'Ján Novák SK1198010000004000007788',
        say: (creditor) => ({ creditor }),
      })

export const askWebhook: Step = async ({ given }, interview) => {
  if (given.webhookUrl !== '') return given
  const asked = await ask(unsaid(given, 'webhookUrl'), interview, {
    message: 'Webhook URL, as it is set for the application at the bank',
    example: 'https://me.example/webhook',
    say: (webhookUrl) => ({ webhookUrl }),
  })
  if (asked.webhookPort !== undefined) return asked
  return ask(asked, interview, {
    message: 'Port on this machine to which that address leads',
    preset: String(portFor(completed(asked).webhook?.url ?? '')),
    say: (port) => ({ webhookPort: /^\d+$/.test(port) ? Number(port) : Number.NaN }),
  })
}
