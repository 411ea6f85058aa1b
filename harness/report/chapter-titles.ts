import { CHAPTERS, type Chapter, type InterfaceChapter } from '../check/requirement.ts'
import { onOneLine } from './run-observer.ts'
import type { Report } from './schema.ts'

/** The names and subjects of the chapters of the interface. */
export const TITLES: Readonly<Record<InterfaceChapter, { readonly name: string; readonly about: string }>> = {
  consent: { name: 'Consent', about: 'A TPP creates a consent, and puts its id into the scope.' },
  authorization: {
    name: 'Authorization',
    about: 'The customer logs in and grants or refuses access; the application receives a code or an error.',
  },
  tokens: {
    name: 'Tokens',
    about: 'Codes are exchanged for tokens; tokens expire, are refreshed, and are revoked.',
  },
  accounts: { name: 'Accounts', about: 'The list of accounts, their detail and balances, in both variants.' },
  transactions: { name: 'Transactions', about: 'The history of an account, page by page, in both variants.' },
  refresh: { name: 'Refresh', about: 'The data of accounts at other banks is updated.' },
  webhooks: { name: 'Webhooks', about: 'The bank notifies the application of changes.' },
  payments: {
    name: 'Payments',
    about: 'A payment is initiated, authorized and submitted, and its status is polled.',
  },
  loans: { name: 'Loans', about: 'The sandbox of instalment loans, and the paths of its scenarios.' },
  environments: {
    name: 'Environments',
    about: 'Base paths, versions, and the separation of sandbox and production.',
  },
}

const isOfInterface = (chapter: Chapter): chapter is InterfaceChapter =>
  CHAPTERS.some((one) => one === chapter)

/** The name of a chapter for readers. Own checks have given theirs. */
export const chapterName = (
  chapter: Chapter,
  { suite: { ownChecks } }: { readonly suite: Pick<Report['suite'], 'ownChecks'> },
): string => (isOfInterface(chapter) ? TITLES[chapter].name : (ownChecks?.title ?? chapter))

/** The name of a chapter where its key is shown: `--only` takes the part before a colon. */
export const labelOf = (chapter: Chapter, report: Parameters<typeof chapterName>[1]): string =>
  isOfInterface(chapter) ? chapter : onOneLine(`own: ${chapterName(chapter, report)}`)
