import { NotReached } from '../../evidence/signals.ts'
import { hasRefusal, type PageRecipe } from '../../profile/schema/authorization.ts'
import { fillSelector } from '../../profile/template.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { RedirectResult } from '../../evidence/record/answer.ts'
import type { AccountProfile, CustomerProfile } from '../../profile/schema.ts'
import type { Fields } from '../http/request.ts'

/** What a customer does on a page of the recipe, over HTTP and in a browser. */

export type Decision = 'grant' | 'deny'

/** How far the customer has come. It is updated on the way. */
export interface Progress {
  readonly acted: number[]
  decision: RedirectResult['decision']
}

/**
 * Whether a customer would give up: the same page comes again, since what was typed was not accepted, or the pages come
 * round, since each has been answered once.
 */
export const isAskedAgain = ({ acted }: Progress, index: number): boolean => {
  const last = acted.at(-1)
  return last === index || acted.some((page, at) => page === last && acted[at + 1] === index)
}

/** What to tick on a page. If the page offers no refusal, it is the same for both decisions. */
export const tickedOn = (page: PageRecipe['pages'][number], decision: Decision): readonly string[] =>
  (decision === 'deny' && hasRefusal(page) ? page.tickToRefuse : page.tick) ?? []

/** The check box of an account, and whether it is to be ticked. */
export interface AccountBox {
  readonly iban: string
  readonly selector: string
  readonly isShared: boolean
}

/** The check boxes of the known accounts on a page; none where the customer refuses, or no account is asked for. */
export const accountBoxes = (
  page: PageRecipe['pages'][number],
  { decision, accounts = [] }: { readonly decision: Decision; readonly accounts?: readonly AccountProfile[] },
): readonly AccountBox[] => {
  const { tickAccounts } = page
  if (tickAccounts === undefined || (decision === 'deny' && hasRefusal(page))) return []
  return accounts.map(({ iban, accountId, choice, consented }) => ({
    iban,
    selector: fillSelector(tickAccounts, { iban, accountId, choice }),
    isShared: consented,
  }))
}

export const withoutBox = (
  { id }: Pick<Exchange, 'id'>,
  index: number,
  { iban, selector }: AccountBox,
): NotReached =>
  new NotReached(
    `the page of ${id} has no ${selector} for the account ${iban}; correct \`authorization.pages.${index}.tickAccounts\`, or what it names of this account in \`customers\``,
  )

export const fillIn = (fill: Readonly<Record<string, string>>, customer: CustomerProfile): Fields =>
  Object.entries(fill).map(([selector, text]) => [
    selector,
    // Replacement functions, because a $ in a replacement text has a special meaning.
    text.replaceAll(
      /\{(\w+)\}/g,
      (placeholder, name: string) => customerField(customer, name) ?? placeholder,
    ),
  ])

const customerField = (
  { username, password, fields = {} }: CustomerProfile,
  name: string,
): string | undefined => {
  if (name === 'username') return username
  if (name === 'password') return password
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
