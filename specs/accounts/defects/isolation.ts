import { ACC } from '../requirements.ts'
import {
  acceptingExpiredTokens,
  acceptingRevokedTokens,
  answeringWith404,
  isForeign,
  mixingGrantsOfCallers,
  opening,
  openingAfterwards,
  openingRespelledIbans,
  openingUnderAnyConsent,
  refusingWith,
  type Account,
  type OpenFacts,
  type Operation,
} from '../../shared/account-defects.ts'
import {
  breaking,
  isFor,
  isOfATpp,
  knowingRenewed,
  membersOf,
  servingTheLastCaller,
  where,
  type Members,
} from '../../shared/defects.ts'
import type { Defect, RuleChange } from '../../../harness/bank/defect.ts'

/** Accounts that are opened or disclosed to somebody who must not see them. */

const DETAIL = isFor('account', 'first')
const INFORMATION = isFor('account', 'second')

/** Accepts an IBAN in the place of an account-id, and opens such accounts without a check of the consent. */
const openingByIban =
  (applies: (facts: OpenFacts) => boolean): RuleChange =>
  (lawful) => {
    let named: Account | undefined
    return {
      accountOfUnknownId: (facts) => {
        named = DETAIL(facts)
          ? lawful.accountOfIban({ ...facts, iban: facts.accountId })
          : lawful.accountOfUnknownId(facts)
        return named
      },
      accountIsOpen: (facts) => {
        const isNamed = facts.account === named
        // The next call may name the same account by its id.
        named = undefined
        return (isNamed && applies(facts)) || lawful.accountIsOpen(facts)
      },
    }
  }

interface Disclosure {
  readonly members?: Members
  /** The value of an additional header. */
  readonly header?: string
}

/** Discloses in a refusal something about the refused account. */
const disclosing =
  (operation: Operation, disclose: (account: Account, holder: string) => Disclosure): RuleChange =>
  (lawful) => {
    const holders = new Map<string, string>()
    const disclosureOf = (facts: Parameters<typeof lawful.refusalBody>[0]): Disclosure =>
      facts.account && operation(facts)
        ? disclose(facts.account, holders.get(facts.account.accountId) ?? '')
        : {}
    return {
      accountIsOpen: (facts) => {
        const holder = facts.customers.find(({ accounts }) => accounts.includes(facts.account))
        holders.set(facts.account.accountId, holder?.name ?? '')
        return lawful.accountIsOpen(facts)
      },
      refusalBody: (facts) => ({ ...membersOf(lawful.refusalBody(facts)), ...disclosureOf(facts).members }),
      refusalHeaders: (facts) => {
        const { header } = disclosureOf(facts)
        return { ...lawful.refusalHeaders(facts), ...(header !== undefined && { 'x-account': header }) }
      },
    }
  }

/** Checks the consent for the accountId of a body, and answers the account of its IBAN. */
const checkingAnotherAccount: RuleChange = (lawful) => {
  let iban: string | undefined
  return {
    accountInBody: (facts) => {
      const { accountId, iban: typed } = facts.body
      const isBoth = typeof accountId === 'string' && typeof typed === 'string'
      iban = isBoth ? typed : undefined
      return isBoth ? { naming: 'id', name: accountId } : lawful.accountInBody(facts)
    },
    accountDetailBody: (facts) => {
      const isMeant = facts.variant === 'second' && iban !== undefined
      const account = isMeant ? lawful.accountOfIban({ ...facts, iban: iban ?? '' }) : undefined
      return lawful.accountDetailBody(account === undefined ? facts : { ...facts, account })
    },
  }
}

/** Looks for an access token in both environments. */
const sharingTokens = (operation: Operation): RuleChange =>
  where((facts) => operation(facts) && facts.kind === 'accessTokens', {
    otherEnvironmentsSearched: () => ['sandbox', 'production'],
  })

export const isolationDefects: readonly Defect[] = [
  ...breaking(ACC.accountWithoutConsentIsRefused, {
    'unconsented-account-is-read-by-its-iban': {
      story: 'An IBAN in the path opens every account of the customer, with or without consent.',
      rules: openingByIban((facts) => !isForeign(facts)),
    },
    'unconsented-account-is-read-by-its-id': {
      story: 'An accountId opens every account of the customer, with or without consent.',
      rules: opening(DETAIL, (facts) => !isForeign(facts)),
      inProduction: 'unconsented-account-is-read-by-its-id-in-production',
    },
    'detail-of-another-consent-is-kept': {
      story:
        'A client that has read the detail of an account under one consent can read it under another one.',
      rules: openingUnderAnyConsent(DETAIL),
    },
  }),
  ...breaking(ACC.informationWithoutConsentIsRefused, {
    'information-of-another-consent-is-kept': {
      story:
        'In the second variant a client that has read an account under one consent can read it under another one.',
      rules: openingUnderAnyConsent(INFORMATION),
    },
    'unconsented-iban-is-accepted': {
      story: 'An IBAN opens every account of the customer, with or without consent.',
      rules: opening(INFORMATION, (facts) => !isForeign(facts)),
    },
    'unconsented-id-is-accepted': {
      story: 'The id of the second variant opens every account of the customer, with or without consent.',
      rules: opening(INFORMATION, (facts) => !isForeign(facts) && facts.naming === 'id'),
    },
    'unconsented-iban-is-accepted-in-small-letters': {
      story: 'The consent is checked before an IBAN is changed to capitals.',
      rules: openingRespelledIbans(
        INFORMATION,
        (iban) => iban.toUpperCase(),
        (facts) => !isForeign(facts),
      ),
    },
    'refreshed-token-opens-every-iban': {
      story: 'A renewed token opens every IBAN, and every accountId.',
      alsoBreaks: [ACC.accountWithoutConsentIsRefused],
      rules: knowingRenewed((isRenewed) => where(isRenewed, { accountIsOpen: () => true })),
    },
  }),
  ...breaking(ACC.accountOfAnotherCustomerIsRefused, {
    'foreign-account-is-read-by-its-id': {
      story: 'The first variant answers the detail of an account to everybody who knows its account-id.',
      rules: opening(DETAIL, isForeign),
      inProduction: 'foreign-account-is-read-in-production',
    },
    'foreign-account-is-read-by-its-iban': {
      story: 'An IBAN in the path opens the accounts of other customers.',
      alsoBreaks: [ACC.accountWithoutConsentIsRefused],
      rules: openingByIban(isForeign),
    },
    'foreign-account-is-read-by-a-tpp': {
      story: 'A TPP is answered the detail of every account that one of its consents opens.',
      rules: opening(DETAIL, (facts) => isForeign(facts) && isOfATpp(facts)),
    },
    'foreign-account-is-read-after-its-holder': {
      story: 'The detail is cached by account-id only, after its holder has read it.',
      rules: openingAfterwards(DETAIL, ({ account }) => account.accountId, isForeign),
    },
    'foreign-account-is-read-after-an-allowed-call': {
      story: 'A token that has read one account is not checked when it reads another.',
      rules: openingAfterwards(DETAIL, ({ token }) => token.value, isForeign),
    },
    'detail-is-opened-by-the-grant-of-the-last-caller': {
      story: 'A caller at the same moment as the holder of an account is taken for the holder.',
      alsoBreaks: [ACC.informationOfAnotherCustomerIsRefused],
      rules: mixingGrantsOfCallers(isFor('account')),
    },
  }),
  ...breaking(ACC.informationOfAnotherCustomerIsRefused, {
    'foreign-iban-is-accepted': {
      story: 'The second variant checks whose account an id names, and not whose account an IBAN names.',
      alsoBreaks: [ACC.informationWithoutConsentIsRefused],
      rules: opening(INFORMATION, (facts) => isForeign(facts) && facts.naming === 'iban'),
    },
    'foreign-id-is-accepted-in-the-second-variant': {
      story: 'The second variant checks whose account an IBAN names, and not whose account an id names.',
      rules: opening(INFORMATION, (facts) => isForeign(facts) && facts.naming === 'id'),
    },
    'foreign-iban-is-accepted-after-its-holder': {
      story: 'The information is cached by account only, after its holder has read it.',
      rules: openingAfterwards(INFORMATION, ({ account }) => account.accountId, isForeign),
    },
    'foreign-iban-in-groups-of-four-is-accepted': {
      story: 'The consent is checked before the blanks of an IBAN are removed.',
      rules: openingRespelledIbans(INFORMATION, (iban) => iban.replaceAll(' ', ''), isForeign),
    },
  }),
  ...breaking(ACC.refusedDetailTellsNothing, {
    'refusal-names-the-holder': {
      story: 'The refusal of a detail names the holder of the account.',
      rules: disclosing(DETAIL, (_, holder) => ({
        members: { errorDescription: `This account belongs to ${holder}.` },
      })),
    },
    'refusal-names-the-account': {
      story: 'The refusal of a detail has the label that the holder gave to the account.',
      rules: disclosing(DETAIL, ({ name }) => ({ members: { account: { label: name } } })),
    },
    'refusal-has-the-iban-in-a-header': {
      story: 'The refusal of a detail has the IBAN of the account in a header that was meant for the log.',
      rules: disclosing(DETAIL, ({ iban }) => ({ header: iban })),
    },
    'refusal-has-the-balance': {
      story: 'The refusal of a detail has the balance of the account.',
      rules: disclosing(DETAIL, ({ openingBalance }) => ({ members: { balance: openingBalance / 100 } })),
    },
  }),
  ...breaking(ACC.secondVariantTellsNothingOfAnother, {
    'consent-is-looked-up-by-id-and-account-by-iban': {
      story:
        'For a body with an accountId and an IBAN, the consent is checked for the first, and the second is answered.',
      rules: checkingAnotherAccount,
    },
    'refusal-names-the-holder-in-the-second-variant': {
      story: 'The refusal of an information names the holder of the account.',
      rules: disclosing(INFORMATION, (_, holder) => ({
        members: { errorDescription: `The IBAN is one of ${holder}.` },
      })),
    },
    'refusal-shows-the-id-behind-an-iban': {
      story: 'The refusal of an IBAN has the id of its account.',
      rules: disclosing(INFORMATION, ({ accountId }) => ({ members: { account: accountId } })),
    },
  }),
  ...breaking(ACC.detailIsRefusedInTheOtherEnvironment, {
    'token-of-the-other-environment-opens-a-detail': {
      story: 'The detail of an account looks for a token in both environments.',
      alsoBreaks: ['ENV-06', 'ENV-07'],
      rules: sharingTokens(DETAIL),
    },
  }),
  ...breaking(ACC.secondVariantIsRefusedInTheOtherEnvironment, {
    'token-of-the-other-environment-opens-the-information': {
      story: 'The information of an account looks for a token in both environments.',
      alsoBreaks: ['ENV-06', 'ENV-07'],
      rules: sharingTokens(INFORMATION),
    },
  }),
]

const LIST_OF_THE_SECOND = isFor('accounts', 'second')

export const statusDefects: readonly Defect[] = [
  ...breaking(ACC.statusGivesTheResult, {
    'list-has-status-404': {
      story: 'The list of the first variant has the HTTP status 404.',
      ...answeringWith404('GET', /^\/premium\/[a-z]+\/v1\/accounts$/),
    },
    'detail-has-status-404': {
      story: 'The detail of an account has the HTTP status 404.',
      ...answeringWith404('GET', /^\/premium\/[a-z]+\/v1\/accounts\/[^/]+$/),
    },
    'unknown-detail-has-status-200': {
      story: 'The detail of an account without consent is refused with the HTTP status 200.',
      rules: refusingWith(DETAIL, 'account_unknown', 200),
    },
    'detail-without-token-has-status-200': {
      story: 'A detail without an access token is refused with the HTTP status 200.',
      rules: refusingWith(DETAIL, 'token_missing', 200),
    },
  }),
  ...breaking(ACC.statusGivesTheResultInTheSecondVariant, {
    'second-list-has-status-404': {
      story: 'The list of the second variant has the HTTP status 404.',
      ...answeringWith404('GET', /\/api\/v1\/accounts$/),
    },
    'information-has-status-404': {
      story: 'The information of an account has the HTTP status 404.',
      ...answeringWith404('POST', /\/api\/v1\/accounts\/information$/),
    },
    'unknown-information-has-status-200': {
      story: 'The information of an account without consent is refused with the HTTP status 200.',
      rules: refusingWith(INFORMATION, 'account_unknown', 200),
    },
  }),
]

export const tokenDefects: readonly Defect[] = [
  ...breaking(ACC.detailWithAnExpiredTokenHasStatus401, {
    'expired-token-reads-a-detail': {
      story: 'The list checks the age of a token, and the detail does not.',
      alsoBreaks: ['TOK-87'],
      rules: acceptingExpiredTokens(DETAIL),
    },
    'expired-token-of-a-tpp-reads-a-detail': {
      story: 'The detail checks the age of a token for a FAC only.',
      alsoBreaks: ['TOK-87'],
      rules: where((facts) => DETAIL(facts) && isOfATpp(facts), { accessIsFresh: () => true }),
    },
    'expired-detail-has-status-404': {
      story: 'A detail is answered with 404 when the token has expired.',
      rules: refusingWith(DETAIL, 'token_expired', 404),
    },
    'expired-token-has-status-401-once': {
      story:
        'A detail is answered with 401 the first time that a token has expired, and with 403 from then on.',
      rules: (lawful) => {
        let refused = 0
        return {
          refusalStatus: (facts) => {
            if (DETAIL(facts) && facts.error === 'token_expired') refused += 1
            return refused > 1 && DETAIL(facts) && facts.error === 'token_expired'
              ? 403
              : lawful.refusalStatus(facts)
          },
        }
      },
    },
  }),
  ...breaking(ACC.secondVariantWithAnExpiredTokenHasStatus401, {
    'expired-token-lists-in-the-second-variant': {
      story: 'The list of the second variant does not check the age of a token.',
      rules: acceptingExpiredTokens(LIST_OF_THE_SECOND),
    },
    'expired-token-reads-information': {
      story: 'The information of the second variant does not check the age of a token.',
      alsoBreaks: ['TOK-87'],
      rules: acceptingExpiredTokens(INFORMATION),
    },
    'expired-information-has-status-400': {
      story: 'The information of the second variant is answered with 400 when the token has expired.',
      rules: refusingWith(INFORMATION, 'token_expired', 400),
    },
  }),
  ...breaking(ACC.detailWithARevokedTokenHasStatus401, {
    'revoked-token-reads-a-detail': {
      story: 'The list checks whether a token was revoked, and the detail does not.',
      rules: acceptingRevokedTokens(DETAIL),
    },
    'revoked-detail-has-status-403': {
      story: 'A detail is answered with 403 when the token was revoked.',
      rules: refusingWith(DETAIL, 'token_revoked', 403),
    },
  }),
  ...breaking(ACC.secondVariantWithARevokedTokenHasStatus401, {
    'revoked-token-opens-the-second-variant': {
      story: 'The second variant does not check whether a token was revoked.',
      rules: acceptingRevokedTokens((facts) => LIST_OF_THE_SECOND(facts) || INFORMATION(facts)),
    },
    'revoked-list-of-the-second-variant-has-status-403': {
      story: 'The list of the second variant is answered with 403 when the token was revoked.',
      rules: refusingWith(LIST_OF_THE_SECOND, 'token_revoked', 403),
    },
  }),
  ...breaking(ACC.detailWithoutTokenIsRefused, {
    'detail-without-a-token-serves-the-last-caller': {
      story: 'A detail without a token is answered as for the last caller.',
      rules: servingTheLastCaller((facts) => DETAIL(facts) && facts.header === undefined),
    },
    'detail-is-answered-to-any-token': {
      story: 'The detail takes an unknown token for the last known one.',
      alsoBreaks: ['ENV-11', 'ENV-24'],
      rules: servingTheLastCaller(
        (facts, isIssued) =>
          DETAIL(facts) &&
          facts.header !== undefined &&
          facts.header !== 'Bearer' &&
          !isIssued(facts.header.slice('Bearer '.length)),
      ),
    },
  }),
  ...breaking(ACC.secondVariantWithoutTokenIsRefused, {
    'second-variant-lists-without-a-token': {
      story: 'The list of the second variant needs no token.',
      rules: servingTheLastCaller((facts) => LIST_OF_THE_SECOND(facts) && facts.header === undefined),
    },
    'information-is-answered-to-an-empty-token': {
      story: 'The information of the second variant accepts a Bearer header without a token.',
      rules: servingTheLastCaller((facts) => INFORMATION(facts) && facts.header === 'Bearer'),
    },
  }),
]
