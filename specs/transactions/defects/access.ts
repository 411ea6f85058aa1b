import {
  findAccount,
  failWithoutAnAccount,
  findByPattern,
  findByTheBeginning,
  findUnknownIbans,
  ignoreLaterCharacters,
  isById,
  isByIban,
  isForeign,
  isLast,
  isOwn,
  mixGrantsOfCallers,
  open,
  openAfterwards,
  openRespelledIbans,
  openUnderAnyConsent,
  type OpenFacts,
} from '../../shared/account-changes.ts'
import {
  accept,
  acceptUnknownTokens,
  alter,
  both,
  defectsOf,
  each,
  EVERYWHERE,
  IN_PRODUCTION,
  isFor,
  isOfATpp,
  on,
  serveTheLastCaller,
  refuse,
  status,
  when,
  refuseWith,
  type Past,
} from '../../shared/changes.ts'
import { isForALaterPage, isLater, left, ofEachVariant, ofLinkedPages, ofNumberedPages } from './pages.ts'
import { TRX } from '../requirements.ts'
import type { Defect } from '../../../harness/bank/defect.ts'

/** Transactions that are refused without a reason, or shown without a consent or a valid token. */

const isOfALink = (past: Past<'bearerToken'>): boolean =>
  past
    .of('bearerToken')
    .slice(-1)
    .some(({ facts }) => isForALaterPage(facts))

/** Opens such accounts to later pages, to which a link leads. */
const openLinkedPages = (where: (facts: OpenFacts) => boolean = () => true) =>
  alter(
    { accountIsOpen: (isOpen, facts, past) => isOpen || (where(facts) && isOfALink(past)) },
    'bearerToken',
  )

/** Opens such accounts to pages with another number than 1. */
const openLaterNumbers = (where: (facts: OpenFacts) => boolean = () => true) =>
  alter(
    {
      accountIsOpen: (isOpen, facts, past) =>
        isOpen || (where(facts) && (past.of('accountInBody').at(-1)?.facts.body.page ?? 1) !== 1),
    },
    'accountInBody',
  )

const CONSENT = TRX.accountWithoutConsentIsRefused
const CONSENT_IN_THE_SECOND = TRX.accountWithoutConsentIsRefusedInTheSecondVariant

const consents: readonly Defect[] = [
  ...ofEachVariant([CONSENT], [CONSENT_IN_THE_SECOND], {
    'Transactions read under one consent can be read under another one': openUnderAnyConsent,
    'The transactions of every account of the customer are answered': open(isOwn),
  }),
  ...ofLinkedPages([TRX.unknownAccountIsRefused], {
    'For transactions, an account is found by the beginning of its account-id': findByTheBeginning,
    'For transactions, characters after an account-id are ignored': ignoreLaterCharacters,
    'For transactions, an account-id is a pattern': findByPattern,
  }),
  ...defectsOf([CONSENT_IN_THE_SECOND], {
    'A request for transactions without an account is answered with 500':
      failWithoutAnAccount('listTransactions'),
  }),
  ...ofLinkedPages([CONSENT], {
    'An IBAN in the path opens the transactions of every account of the customer': both(
      findAccount(({ customer, accountId }) => customer.accounts.find(({ iban }) => iban === accountId)),
      open(isOwn),
    ),
    'Pages have offsets, and the consent of the customer is checked for the first only': both(
      alter({
        cursorAt: (_, { offset }) => String(offset),
        offsetOfCursor: (_, { cursor }) => Number(cursor),
      }),
      openLinkedPages(isOwn),
    ),
    'Every known account-id shows its transactions': each([EVERYWHERE, IN_PRODUCTION], open(isForeign)),
    'A TPP reads the transactions of accounts of all customers': when(isOfATpp, open(isForeign)),
    'A token that has read a page reads every page': openAfterwards(isForeign, ({ token }) => token.value),
    'Only the first page checks the consent: later pages need just their link': openLinkedPages(),
  }),
  ...defectsOf([CONSENT, CONSENT_IN_THE_SECOND], {
    'Transactions confuse the grants of concurrent callers': when(isFor('transactions'), mixGrantsOfCallers),
  }),
  ...ofNumberedPages([CONSENT_IN_THE_SECOND], {
    'Numbered pages check the customer of an id, and not of an IBAN': when(isByIban, open(isForeign)),
    'Numbered pages check the customer of an IBAN, and not of an id': when(isById, open(isForeign)),
    'A numbered page is cached by account only, after its holder has read it': openAfterwards(
      isForeign,
      ({ account }) => account.accountId,
    ),
    'The id of a numbered page opens every account of the customer': when(isById, open(isOwn)),
    'Only the page with the number 1 checks the consent of the customer': openLaterNumbers(isOwn),
    'Only the page with the number 1 checks the consent': openLaterNumbers(),
    'For transactions, the consent is checked before the blanks of an IBAN are removed': openRespelledIbans(
      (iban) => iban.replaceAll(' ', ''),
    ),
    'An IBAN of the bank that no account has is taken for the first account of the customer':
      findUnknownIbans,
    'For numbered pages, an account is found by the beginning of its id': findByTheBeginning,
  }),
]

const EXPIRED = TRX.transactionsWithAnExpiredTokenHaveStatus401
const EXPIRED_IN_THE_SECOND = TRX.secondVariantWithAnExpiredTokenHasStatus401
const REVOKED = TRX.transactionsWithARevokedTokenHaveStatus401
const REVOKED_IN_THE_SECOND = TRX.secondVariantWithARevokedTokenHasStatus401

const tokens: readonly Defect[] = [
  ...ofLinkedPages([TRX.transactionsWithoutTokenAreRefused], {
    'Transactions without a token are answered as for the last caller': serveTheLastCaller(
      ({ header }) => header === undefined,
    ),
    'Later pages need no token, just their link': alter({
      bearerToken: (token, facts, past) =>
        token ??
        (isForALaterPage(facts)
          ? past.of('bearerToken').findLast(({ answer }) => answer)?.answer
          : undefined),
    }),
  }),
  ...ofLinkedPages([TRX.transactionsWithoutTokenAreRefused, 'ENV-11', 'ENV-24'], {
    'For transactions, an unknown token is taken for the last known one': acceptUnknownTokens,
  }),
  ...ofNumberedPages([TRX.secondVariantWithoutTokenIsRefused], {
    'Numbered pages accept an empty Bearer header': serveTheLastCaller(({ header }) => header === 'Bearer'),
  }),
  ...ofEachVariant([EXPIRED, 'TOK-87'], [EXPIRED_IN_THE_SECOND, 'TOK-87'], {
    'Transactions do not check the age of a token': accept('accessIsFresh'),
  }),
  ...ofLinkedPages([EXPIRED, 'TOK-87'], {
    'Transactions check the age of a token for a FAC only': accept('accessIsFresh', isOfATpp),
  }),
  ...ofLinkedPages([EXPIRED], {
    'Only the first page checks the age of a token: later pages need just their link': alter(
      { accessIsFresh: (isFresh, _, past) => isFresh || isOfALink(past) },
      'bearerToken',
    ),
    'Transactions are answered with 403 when the token has expired': refuseWith('token_expired', 403),
  }),
  ...ofNumberedPages([EXPIRED_IN_THE_SECOND], {
    'Numbered pages are answered with 400 when the token has expired': refuseWith('token_expired', 400),
  }),
  ...ofEachVariant([REVOKED], [REVOKED_IN_THE_SECOND], {
    'Transactions do not check whether a token was revoked': refuse('accessIsRevoked'),
  }),
  ...ofLinkedPages([REVOKED], {
    'Only the first page checks whether a token was revoked: later pages need just their link': alter(
      { accessIsRevoked: (isRevoked, _, past) => isRevoked && !isOfALink(past) },
      'bearerToken',
    ),
    'Transactions are answered with 403 when the token was revoked': refuseWith('token_revoked', 403),
  }),
  ...ofNumberedPages([REVOKED_IN_THE_SECOND], {
    'Numbered pages are answered with 400 when the token was revoked': refuseWith('token_revoked', 400),
  }),
]

const RESULT = TRX.statusGivesTheResult
const RESULT_IN_THE_SECOND = TRX.statusGivesTheResultInTheSecondVariant

const statuses: readonly Defect[] = [
  ...defectsOf([RESULT], {
    'The pages of the first variant have the HTTP status 404': status(on('GET', /\/transactions$/), 404),
  }),
  ...defectsOf([RESULT_IN_THE_SECOND], {
    'The pages of the second variant have the HTTP status 404': status(on('POST', /\/transactions$/), 404),
  }),
  ...ofEachVariant([RESULT], [RESULT_IN_THE_SECOND], {
    'Transactions without consent are refused with the HTTP status 200': refuseWith('account_unknown', 200),
  }),
  ...ofEachVariant([TRX.pageIsAnswered], [TRX.pageIsAnsweredInTheSecondVariant], {
    'The transactions of the last account of the list are refused': refuse('accountIsOpen', isLast),
  }),
]

/** Faults of a page that are the same in each variant. */
const pages: readonly Defect[] = [
  ...ofEachVariant(
    [TRX.strangePageSizeBreaksNothing],
    [TRX.strangePageSizeBreaksNothingInTheSecondVariant, 'TRX-24'],
    {
      'An invalid pageSize is answered with a server error': refuseWith('invalid_request', 500),
    },
  ),
  ...ofEachVariant([TRX.pagesKeepTheirOrder], [TRX.pagesKeepTheirOrderInTheSecondVariant], {
    'Later pages are in reverse order': when(isLater, alter({ pageItems: (page) => page.toReversed() })),
  }),
  ...ofEachVariant(
    [TRX.pagesLeaveNothingOut, TRX.pagesAreTheSameForEverySize],
    [TRX.pagesLeaveNothingOutInTheSecondVariant, TRX.pagesAreTheSameForEverySizeInTheSecondVariant],
    {
      'An account of exactly one full page has an empty page': when(
        (page) => !isLater(page) && left(page) === 0,
        alter({ pageItems: [] }),
      ),
    },
  ),
]

export const accessDefects: readonly Defect[] = [...consents, ...tokens, ...statuses, ...pages]
