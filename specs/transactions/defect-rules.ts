import type { Rules } from '../../harness/bank/rules.ts'

/** How a bank can go wrong over transactions in one of its variants, and stay right in all the rest. */

export type Variant = OpenFacts['variant']

/** A change of rules that others can be put beside. */
export type Change = (lawful: Rules) => Partial<Rules>

export type OpenFacts = Parameters<Rules['accountIsOpen']>[0]
export type PageFacts = Parameters<Rules['pageItems']>[0]
export type Transaction = ReturnType<Rules['pageItems']>[number]
export type Account = PageFacts['account']

/** Whether a call is one for transactions in this variant. */
export const isOf =
  (variant: Variant) =>
  (facts: Pick<OpenFacts, 'variant' | 'endpoint'>): boolean =>
    facts.variant === variant && facts.endpoint === 'transactions'

export const isOfATpp = ({ grant }: Pick<OpenFacts, 'grant'>): boolean => grant.consentId !== undefined

/** Whether an account is one of somebody else. */
export const isForeign = ({ account, customer }: Pick<OpenFacts, 'account' | 'customer'>): boolean =>
  !customer.accounts.includes(account)

/** Whether an account is the last of those that a grant opens. */
export const isLast = ({ account, customer, grant }: OpenFacts): boolean =>
  customer.accounts.filter(({ accountId }) => grant.accountIds.includes(accountId)).at(-1) === account

/** Opens to this variant what is shut, or shuts what is open; nothing leaves it as it is. */
export const opening =
  (variant: Variant, isOpen: (facts: OpenFacts) => boolean | undefined): Change =>
  (lawful) => ({
    accountIsOpen: (facts) =>
      (isOf(variant)(facts) ? isOpen(facts) : undefined) ?? lawful.accountIsOpen(facts),
  })

/** Puts other transactions on a page; nothing leaves it as it is. */
export const showing =
  (
    variant: Variant,
    items: (facts: PageFacts, lawful: readonly Transaction[]) => readonly Transaction[] | undefined,
  ): Change =>
  (lawful) => ({
    pageItems: (facts) => {
      const page = lawful.pageItems(facts)
      return (isOf(variant)(facts) ? items(facts, page) : undefined) ?? page
    },
  })

/** Takes a pageSize for another one; nothing leaves it as it is. */
export const reading =
  (variant: Variant, read: (size: number) => number | undefined | 'as it is'): Change =>
  (lawful) => ({
    pageSizeAskedFor: (facts) => {
      const asked = lawful.pageSizeAskedFor(facts)
      if (asked === undefined || !isOf(variant)(facts)) return asked
      const size = read(asked)
      return size === 'as it is' ? asked : size
    },
  })

type SizeRule = 'defaultPageSize' | 'pageSizeFloor' | 'pageSizeCeiling'

/** Has another default or bound of pageSize. */
export const bounding =
  (variant: Variant, rule: SizeRule, size: number): Change =>
  (lawful) => ({
    [rule]: (facts: Parameters<Rules[SizeRule]>[0]) => (isOf(variant)(facts) ? size : lawful[rule](facts)),
  })

/** Forgets something about the pages behind the first one alone, to which a link leads. */
export const behindTheFirstPage =
  (
    forgetting: (isForgotten: (facts: Pick<OpenFacts, 'variant' | 'endpoint'>) => boolean) => Change,
  ): Change =>
  (lawful) => {
    let isLater = false
    return {
      bearerToken: (facts) => {
        isLater = facts.query.has('entryReferenceFrom')
        return lawful.bearerToken(facts)
      },
      ...forgetting((facts) => isOf('first')(facts) && isLater)(lawful),
    }
  }

type RefusalFacts = Parameters<Rules['refusalStatus']>[0]

/** Answers a refusal of transactions with another status. */
export const refusing =
  (variant: Variant, error: RefusalFacts['error'], status: number): Change =>
  (lawful) => ({
    refusalStatus: (facts) =>
      facts.error === error && isOf(variant)(facts) ? status : lawful.refusalStatus(facts),
  })

/** Begins a numbered page elsewhere. */
export const beginning =
  (offsetOf: (facts: Parameters<Rules['offsetOfPage']>[0], lawful: number) => number): Change =>
  (lawful) => ({ offsetOfPage: (facts) => offsetOf(facts, lawful.offsetOfPage(facts)) })

/** Counts numbered pages otherwise. */
export const counting =
  (countOf: (facts: Parameters<Rules['pageCount']>[0], lawful: number) => number): Change =>
  (lawful) => ({
    pageCount: (facts) =>
      isOf('second')(facts) ? countOf(facts, lawful.pageCount(facts)) : lawful.pageCount(facts),
  })

/** Several changes at once, of different rules. */
export const together =
  (...changes: readonly Change[]): Change =>
  (lawful) =>
    changes.reduce<Partial<Rules>>((rules, change) => ({ ...rules, ...change(lawful) }), {})

/** Says otherwise whether a page links to another one; nothing leaves it as it is. */
export const following =
  (hasNext: (facts: PageFacts) => boolean | undefined): Change =>
  (lawful) => ({
    hasNextPage: (facts) => (isOf('first')(facts) ? hasNext(facts) : undefined) ?? lawful.hasNextPage(facts),
  })

/** Goes on elsewhere behind a page that links to another one. */
export const continuing =
  (offsetOf: (facts: PageFacts, lawful: number) => number): Change =>
  (lawful) => ({ nextOffset: (facts) => offsetOf(facts, lawful.nextOffset(facts)) })

type LinkFacts = Parameters<Rules['nextLink']>[0]

/** Links to another page; nothing leaves the link as it is. */
export const linking =
  (link: (facts: LinkFacts) => string | undefined): Change =>
  (lawful) => ({ nextLink: (facts) => link(facts) ?? lawful.nextLink(facts) })

/** The page that the lawful bank has there, from one place to another in the place of its own. */
export const cut = ({ all }: PageFacts, from: number, to: number): readonly Transaction[] =>
  all.slice(Math.max(0, from), to)

/** Whether a page is the third of more than three. */
export const isThird = ({ all, offset, size }: PageFacts): boolean =>
  offset === 2 * size && offset + size < all.length

/** A transaction that was booked since the bank opened: those before it have numbers for ids. */
export const isNew = ({ transactionId }: Transaction): boolean => !/^\d{6}-\d{6}$/.test(transactionId)
