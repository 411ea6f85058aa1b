import {
  acceptingExpiredTokens,
  acceptingRevokedTokens,
  answeringWith404,
  findingUnknownIds,
  isForeign,
  mixingGrantsOfCallers,
  opening,
  openingAfterwards,
  openingUnderAnyConsent,
  openingRespelledIbans,
  refusingWith,
  type Operation,
} from '../../shared/account-defects.ts'
import {
  breaking,
  changedRules,
  isFor,
  isOfATpp,
  servingTheLastCaller,
  together,
  where,
} from '../../shared/defects.ts'
import { asksForALaterPage, LINKED_PAGES, NUMBERED_PAGES, onLaterLinkedPages } from './linked-pages.ts'
import { TRX } from '../requirements.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'

/** Transactions that are shown to somebody who must not see them. */

/** Finds an account by the beginning of its id. */
const findingByTheBeginning = (operation: Operation): RuleChange =>
  findingUnknownIds(operation, ({ customer, accountId, idOf }) =>
    customer.accounts.find((account) => accountId !== '' && idOf(account).startsWith(accountId)),
  )

/** Cursors that count transactions fit any account. */
const countingOffsets: RuleChange = {
  cursorAt: ({ offset }) => String(offset),
  offsetOfCursor: ({ cursor }) => Number(cursor),
}

/** Is wrong only on pages with another number than 1. */
const onLaterNumberedPages =
  (change: (isLaterPage: Operation) => RuleChange): RuleChange =>
  (lawful) => {
    let isLater = false
    return {
      accountInBody: (facts) => {
        isLater = (facts.body['page'] ?? 1) !== 1
        return lawful.accountInBody(facts)
      },
      ...changedRules(
        change((facts) => NUMBERED_PAGES(facts) && isLater),
        lawful,
      ),
    }
  }

export const statusDefects: readonly Defect[] = [
  ...breaking(TRX.statusGivesTheResult, {
    'pages-have-status-404': {
      story: 'The pages of the first variant have the HTTP status 404.',
      wire: answeringWith404('GET', /\/transactions$/),
    },
    'unknown-transactions-have-status-200': {
      story: 'Transactions of an account without consent are refused with the HTTP status 200.',
      rules: refusingWith(LINKED_PAGES, 'account_unknown', 200),
    },
  }),
  ...breaking(TRX.statusGivesTheResultInTheSecondVariant, {
    'numbered-pages-have-status-404': {
      story: 'The pages of the second variant have the HTTP status 404.',
      wire: answeringWith404('POST', /\/transactions$/),
    },
    'unknown-transactions-have-status-200-in-the-second-variant': {
      story:
        'The second variant refuses transactions of an account without consent with the HTTP status 200.',
      rules: refusingWith(NUMBERED_PAGES, 'account_unknown', 200),
    },
  }),
]

export const isolationDefects: readonly Defect[] = [
  ...breaking(TRX.unknownAccountIsRefused, {
    'cut-account-id-shows-transactions': {
      story: 'An account is found by the beginning of its account-id.',
      rules: findingByTheBeginning(LINKED_PAGES),
    },
    'longer-account-id-shows-transactions': {
      story: 'Characters after an account-id are ignored.',
      rules: findingUnknownIds(LINKED_PAGES, ({ customer, accountId, idOf }) =>
        customer.accounts.find((account) => accountId.startsWith(idOf(account))),
      ),
    },
  }),
  ...breaking(TRX.accountWithoutConsentIsRefused, {
    'unconsented-transactions-by-their-iban': {
      story: 'An IBAN in the path opens the transactions of every account of the customer.',
      rules: together(
        findingUnknownIds(LINKED_PAGES, ({ customer, accountId }) =>
          customer.accounts.find(({ iban }) => iban === accountId),
        ),
        opening(LINKED_PAGES, (facts) => !isForeign(facts)),
      ),
    },
    'unconsented-transactions-by-their-id': {
      story: 'The transactions of every account of the customer are answered, with or without consent.',
      rules: opening(LINKED_PAGES, (facts) => !isForeign(facts)),
    },
    'unconsented-account-behind-the-first-page': {
      story: 'Pages have offsets, and the consent of the customer is checked for the first page only.',
      rules: together(
        countingOffsets,
        onLaterLinkedPages((isLater) => opening(isLater, (facts) => !isForeign(facts))),
      ),
    },
    'foreign-transactions-by-their-id': {
      story: 'The transactions of an account are answered to everybody who knows its account-id.',
      rules: opening(LINKED_PAGES, isForeign),
      inProduction: 'foreign-transactions-in-production',
    },
    'foreign-transactions-for-a-tpp': {
      story: 'A TPP is answered the transactions of every account that one of its consents opens.',
      rules: opening(LINKED_PAGES, (facts) => isForeign(facts) && isOfATpp(facts)),
    },
    'foreign-transactions-after-an-allowed-page': {
      story: 'A token that has read one page is not checked when it reads another.',
      rules: openingAfterwards(LINKED_PAGES, ({ token }) => token.value, isForeign),
    },
    'foreign-account-behind-the-first-page': {
      story: 'The consent is checked for the first page only: later pages need just their link.',
      rules: onLaterLinkedPages((isLater) => opening(isLater)),
    },
    'transactions-of-another-consent': {
      story: 'A client that has read transactions under one consent can read them under another one.',
      rules: openingUnderAnyConsent(LINKED_PAGES),
    },
    'transactions-are-opened-by-the-grant-of-the-last-caller': {
      story: 'A caller at the same moment as the holder of an account is taken for the holder.',
      alsoBreaks: [TRX.accountWithoutConsentIsRefusedInTheSecondVariant],
      rules: mixingGrantsOfCallers(isFor('transactions')),
    },
  }),
  ...breaking(TRX.accountWithoutConsentIsRefusedInTheSecondVariant, {
    'foreign-iban-shows-transactions': {
      story: 'The second variant checks whose account an id names, and not whose account an IBAN names.',
      rules: opening(NUMBERED_PAGES, (facts) => isForeign(facts) && facts.naming === 'iban'),
    },
    'foreign-id-shows-transactions': {
      story: 'The second variant checks whose account an IBAN names, and not whose account an id names.',
      rules: opening(NUMBERED_PAGES, (facts) => isForeign(facts) && facts.naming === 'id'),
    },
    'foreign-transactions-after-their-holder': {
      story: 'A page of the second variant is cached by account only, after its holder has read it.',
      rules: openingAfterwards(NUMBERED_PAGES, ({ account }) => account.accountId, isForeign),
    },
    'transactions-of-another-consent-in-the-second-variant': {
      story:
        'In the second variant a client that has read transactions under one consent can read them under another one.',
      rules: openingUnderAnyConsent(NUMBERED_PAGES),
    },
    'unconsented-iban-shows-transactions': {
      story: 'An IBAN opens the transactions of every account of the customer, with or without consent.',
      rules: opening(NUMBERED_PAGES, (facts) => !isForeign(facts)),
    },
    'unconsented-id-shows-transactions': {
      story: 'The id of the second variant opens the transactions of every account of the customer.',
      rules: opening(NUMBERED_PAGES, (facts) => !isForeign(facts) && facts.naming === 'id'),
    },
    'unconsented-account-behind-the-first-numbered-page': {
      story: 'The consent of the customer is checked for the page with the number 1 only.',
      rules: onLaterNumberedPages((isLater) => opening(isLater, (facts) => !isForeign(facts))),
    },
    'unconsented-iban-in-groups-shows-transactions': {
      story: 'The consent is checked before the blanks of an IBAN are removed.',
      rules: openingRespelledIbans(NUMBERED_PAGES, (iban) => iban.replaceAll(' ', '')),
    },
    'invented-iban-shows-transactions': {
      story: 'An IBAN of the bank that no account has is taken for the first account of the customer.',
      rules: where(NUMBERED_PAGES, (lawful) => ({
        accountOfIban: (facts) => {
          const isOfTheBank = /^SK\d\d9801\d{16}$/.test(facts.iban)
          return lawful.accountOfIban(facts) ?? (isOfTheBank ? facts.customer.accounts[0] : undefined)
        },
      })),
    },
    'cut-id-shows-transactions-in-the-second-variant': {
      story: 'An account is found by the beginning of its id.',
      rules: findingByTheBeginning(NUMBERED_PAGES),
    },
    'foreign-account-behind-the-first-numbered-page': {
      story: 'The consent is checked for the page with the number 1 only.',
      rules: onLaterNumberedPages((isLater) => opening(isLater)),
    },
  }),
]

/** Transactions with an expired or revoked token, or without one. */

export const tokenDefects: readonly Defect[] = [
  ...breaking(TRX.transactionsWithoutTokenAreRefused, {
    'transactions-without-a-token': {
      story: 'Transactions without a token are answered as for the last caller.',
      rules: servingTheLastCaller((facts) => LINKED_PAGES(facts) && facts.header === undefined),
    },
    'transactions-with-any-token': {
      story: 'An unknown token is taken for the last known one.',
      alsoBreaks: ['ENV-11', 'ENV-24'],
      rules: servingTheLastCaller(
        (facts, isIssued) =>
          LINKED_PAGES(facts) &&
          (facts.header ?? '').length > 'Bearer '.length &&
          !isIssued(facts.header?.slice('Bearer '.length)),
      ),
    },
    'later-pages-need-no-token': {
      story: 'Later pages need no token, just their link.',
      rules: (lawful) => {
        let last: string | undefined
        return {
          bearerToken: (facts) => {
            const token = lawful.bearerToken(facts)
            last = token ?? last
            return token ?? (asksForALaterPage(facts) ? last : undefined)
          },
        }
      },
    },
  }),
  ...breaking(TRX.secondVariantWithoutTokenIsRefused, {
    'transactions-with-an-empty-token': {
      story: 'The transactions of the second variant accept a Bearer header without a token.',
      rules: servingTheLastCaller((facts) => NUMBERED_PAGES(facts) && facts.header === 'Bearer'),
    },
  }),
  ...breaking(TRX.transactionsWithAnExpiredTokenHaveStatus401, {
    'expired-token-shows-transactions': {
      story: 'Lists and details check the age of a token, and transactions do not.',
      alsoBreaks: ['TOK-87'],
      rules: acceptingExpiredTokens(LINKED_PAGES),
    },
    'expired-token-of-a-tpp-shows-transactions': {
      story: 'Transactions check the age of a token for a FAC only.',
      alsoBreaks: ['TOK-87'],
      rules: where((facts) => LINKED_PAGES(facts) && isOfATpp(facts), { accessIsFresh: () => true }),
    },
    'expired-token-shows-later-pages': {
      story: 'Only the first page checks the age of a token: later pages need just their link.',
      rules: onLaterLinkedPages(acceptingExpiredTokens),
    },
    'expired-transactions-have-status-403': {
      story: 'Transactions are answered with 403 when the token has expired.',
      rules: refusingWith(LINKED_PAGES, 'token_expired', 403),
    },
  }),
  ...breaking(TRX.secondVariantWithAnExpiredTokenHasStatus401, {
    'expired-token-shows-transactions-in-the-second-variant': {
      story: 'The transactions of the second variant do not check the age of a token.',
      alsoBreaks: ['TOK-87'],
      rules: acceptingExpiredTokens(NUMBERED_PAGES),
    },
    'expired-transactions-have-status-400-in-the-second-variant': {
      story: 'Transactions of the second variant are answered with 400 when the token has expired.',
      rules: refusingWith(NUMBERED_PAGES, 'token_expired', 400),
    },
  }),
  ...breaking(TRX.transactionsWithARevokedTokenHaveStatus401, {
    'revoked-token-shows-transactions': {
      story: 'Lists and details check whether a token was revoked, and transactions do not.',
      rules: acceptingRevokedTokens(LINKED_PAGES),
    },
    'revoked-token-shows-later-pages': {
      story: 'Only the first page checks whether a token was revoked: later pages need just their link.',
      rules: onLaterLinkedPages(acceptingRevokedTokens),
    },
    'revoked-transactions-have-status-403': {
      story: 'Transactions are answered with 403 when the token was revoked.',
      rules: refusingWith(LINKED_PAGES, 'token_revoked', 403),
    },
  }),
  ...breaking(TRX.secondVariantWithARevokedTokenHasStatus401, {
    'revoked-token-shows-transactions-in-the-second-variant': {
      story: 'The transactions of the second variant do not check whether a token was revoked.',
      rules: acceptingRevokedTokens(NUMBERED_PAGES),
    },
    'revoked-transactions-have-status-400-in-the-second-variant': {
      story: 'Transactions of the second variant are answered with 400 when the token was revoked.',
      rules: refusingWith(NUMBERED_PAGES, 'token_revoked', 400),
    },
  }),
]
