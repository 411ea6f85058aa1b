import {
  isById,
  isByIban,
  isForeign,
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
  answer,
  defectsOf,
  each,
  EVERYWHERE,
  from,
  IN_PRODUCTION,
  isFor,
  isOfATpp,
  membersOf,
  on,
  refuse,
  serveTheLastCaller,
  status,
  when,
  withARefreshedToken,
  refuseWith,
  type Defect,
  type Members,
  type Past,
} from '../../shared/changes.ts'
import { ofDetails, ofEachDetail, ofInformation, ofListsOfTheSecond } from './tables.ts'
import { ACC } from '../requirements.ts'

/** Accounts that are opened or disclosed to somebody who must not see them. */

/** Accepts an IBAN in the place of an account-id, and opens such accounts without a check of the consent. */
const openByIban = (where: (facts: OpenFacts) => boolean) =>
  alter({
    accountOfUnknownId: (_, { accountId, ...facts }, { rules }) => {
      const account = rules.accountOfIban({ ...facts, iban: accountId })
      return account && { ...account }
    },
    // An account that is named by its id is no copy.
    accountIsOpen: (isOpen, facts) => {
      const isCopy = facts.customers.every(({ accounts }) => !accounts.includes(facts.account))
      return isOpen || (isCopy && where(facts))
    },
  })

const WITHOUT_CONSENT = ACC.accountWithoutConsentIsRefused
const WITHOUT_CONSENT_IN_THE_SECOND = ACC.informationWithoutConsentIsRefused

const withoutConsent: readonly Defect[] = [
  ...ofDetails([WITHOUT_CONSENT], {
    'An IBAN in the path opens the detail of every account of the customer': openByIban(isOwn),
    'An accountId opens the detail of every account of the customer': each(
      [EVERYWHERE, IN_PRODUCTION],
      open(isOwn),
    ),
  }),
  ...ofEachDetail([WITHOUT_CONSENT], [WITHOUT_CONSENT_IN_THE_SECOND], {
    'Details read under one consent can be read under another one': openUnderAnyConsent,
  }),
  ...ofInformation([WITHOUT_CONSENT_IN_THE_SECOND], {
    'The information of every account of the customer is answered': open(isOwn),
    'For the information, an id opens every account of the customer': when(isById, open(isOwn)),
    'For the information, the consent is checked before an IBAN is changed to capitals': openRespelledIbans(
      (iban) => iban.toUpperCase(),
      isOwn,
    ),
  }),
  ...defectsOf([WITHOUT_CONSENT_IN_THE_SECOND, WITHOUT_CONSENT], {
    'A renewed access token opens every IBAN, and every accountId': withARefreshedToken(
      'accountIsOpen',
      () => true,
    ),
  }),
]

const OF_ANOTHER = ACC.accountOfAnotherCustomerIsRefused
const OF_ANOTHER_IN_THE_SECOND = ACC.informationOfAnotherCustomerIsRefused

const ofAnotherCustomer: readonly Defect[] = [
  ...ofDetails([OF_ANOTHER], {
    'The detail of an account is answered to everybody who knows its account-id': each(
      [EVERYWHERE, IN_PRODUCTION],
      open(isForeign),
    ),
    'A TPP is answered the detail of accounts of all customers': when(isOfATpp, open(isForeign)),
    'A token that has read one account is not checked when it reads another': openAfterwards(
      isForeign,
      ({ token }) => token.value,
    ),
  }),
  ...ofDetails([OF_ANOTHER, WITHOUT_CONSENT], {
    'An IBAN in the path opens the detail of accounts of other customers': openByIban(isForeign),
  }),
  ...ofEachDetail([OF_ANOTHER], [OF_ANOTHER_IN_THE_SECOND], {
    'The detail is cached by account only, after its holder has read it': openAfterwards(
      isForeign,
      ({ account }) => account.accountId,
    ),
  }),
  ...defectsOf([OF_ANOTHER, OF_ANOTHER_IN_THE_SECOND], {
    'A caller of a detail at the same moment as the holder of the account is taken for the holder': when(
      isFor('account'),
      mixGrantsOfCallers,
    ),
  }),
  ...ofInformation([OF_ANOTHER_IN_THE_SECOND, WITHOUT_CONSENT_IN_THE_SECOND], {
    'The information checks the customer of an id, and not of an IBAN': when(isByIban, open(isForeign)),
  }),
  ...ofInformation([OF_ANOTHER_IN_THE_SECOND], {
    'The information checks the customer of an IBAN, and not of an id': when(isById, open(isForeign)),
    'For the information, the consent is checked before the blanks of an IBAN are removed':
      openRespelledIbans((iban) => iban.replaceAll(' ', ''), isForeign),
  }),
]

/** Discloses in a refusal something about the refused account. */
const disclose = (members: (facts: OpenFacts, past: Past<'accountIsOpen'>) => Members) =>
  alter(
    {
      refusalBody: (usual, { account }, past) => {
        const calls = past.of('accountIsOpen').map(({ facts }) => facts)
        const asked = calls.findLast((facts) => facts.account.accountId === account?.accountId)
        return asked === undefined ? usual : { ...membersOf(usual), ...members(asked, past) }
      },
    },
    'accountIsOpen',
  )

const disclosed: readonly Defect[] = [
  ...ofEachDetail([ACC.refusedDetailDisclosesNothing], [ACC.secondVariantDisclosesNothingOfAnother], {
    'The refusal of a detail has the name of the holder of the account': disclose(
      ({ account, customers }) => {
        const holder = customers.find((customer) => isOwn({ account, customer }))
        return { errorDescription: `This account belongs to ${holder?.name ?? ''}.` }
      },
    ),
  }),
  ...defectsOf([ACC.refusedDetailDisclosesNothing, ACC.secondVariantDisclosesNothingOfAnother], {
    'Answers about accounts have the id that was listed first before, for anybody, in a header': answer(
      ['listAccounts', 'readAccount'],
      (_, __, { earlier }) => {
        const [, first] = /"(?:accountId|identification)":"([^"]+)/.exec(earlier[0]?.answer.text ?? '') ?? []
        return first === undefined ? {} : { headers: { 'x-account': first } }
      },
    ),
  }),
  ...ofDetails([ACC.refusedDetailDisclosesNothing], {
    'The refusal of a detail has the label that the holder gave to the account': disclose(({ account }) => ({
      account: { label: account.name },
    })),
    'The refusal of a detail has the balance of the account': disclose(({ account }) => ({
      balance: account.openingBalance / 100,
    })),
    'The refusal of a detail has the IBAN in a header that was meant for the log': alter({
      refusalHeaders: (usual, { account }) => ({ ...usual, ...(account && { 'x-account': account.iban }) }),
    }),
  }),
  ...ofInformation([ACC.secondVariantDisclosesNothingOfAnother], {
    'The refusal of an IBAN has the id of its account': disclose((facts, { rules }) => ({
      account: rules.accountIdOf(facts),
    })),
    'The consent is checked for the accountId of a body, and the account of its IBAN is answered': alter({
      accountInBody: (usual, { body: { accountId, iban } }) =>
        typeof accountId === 'string' && iban !== undefined ? { naming: 'id', name: accountId } : usual,
      accountDetailBody: (usual, facts, { of, rules }) => {
        const iban = of('accountInBody').at(-1)?.facts.body['iban']
        const account = typeof iban === 'string' ? rules.accountOfIban({ ...facts, iban }) : undefined
        return account === undefined ? usual : rules.accountDetailBody({ ...facts, account })
      },
    }),
  }),
  ...ofEachDetail(
    [ACC.detailIsRefusedInTheOtherEnvironment, 'ENV-06', 'ENV-07'],
    [ACC.secondVariantIsRefusedInTheOtherEnvironment, 'ENV-06', 'ENV-07'],
    {
      'The detail of an account searches tokens in both environments': when(
        ({ kind }) => kind === 'accessTokens',
        alter({ otherEnvironmentsSearched: ['sandbox', 'production'] }),
      ),
    },
  ),
]

const RESULT = ACC.statusGivesTheResult
const RESULT_IN_THE_SECOND = ACC.statusGivesTheResultInTheSecondVariant

const statuses: readonly Defect[] = [
  ...defectsOf([RESULT], {
    'The list of the first variant has the HTTP status 404': status(
      on('GET', /^\/premium\/[a-z]+\/v1\/accounts$/),
      404,
    ),
    'The detail of an account has the HTTP status 404': status(
      on('GET', /^\/premium\/[a-z]+\/v1\/accounts\/[^/]+$/),
      404,
    ),
  }),
  ...defectsOf([RESULT_IN_THE_SECOND], {
    'The list of the second variant has the HTTP status 404': status(on('GET', /\/api\/v1\/accounts$/), 404),
    'The information of an account has the HTTP status 404': status(
      on('POST', /\/api\/v1\/accounts\/information$/),
      404,
    ),
  }),
  ...ofEachDetail([RESULT], [RESULT_IN_THE_SECOND], {
    'A detail without consent is refused with the HTTP status 200': refuseWith('account_unknown', 200),
  }),
  ...ofDetails([RESULT], {
    'A detail without an access token is refused with the HTTP status 200': refuseWith('token_missing', 200),
  }),
]

const EXPIRED = ACC.detailWithAnExpiredTokenHasStatus401
const EXPIRED_IN_THE_SECOND = ACC.secondVariantWithAnExpiredTokenHasStatus401
const REVOKED = ACC.detailWithARevokedTokenHasStatus401
const REVOKED_IN_THE_SECOND = ACC.secondVariantWithARevokedTokenHasStatus401

const tokens: readonly Defect[] = [
  ...ofEachDetail([EXPIRED, 'TOK-87'], [EXPIRED_IN_THE_SECOND, 'TOK-87'], {
    'A detail does not check the age of a token': accept('accessIsFresh'),
  }),
  ...ofDetails([EXPIRED, 'TOK-87'], {
    'A detail checks the age of a token for a FAC only': accept('accessIsFresh', isOfATpp),
  }),
  ...ofListsOfTheSecond([EXPIRED_IN_THE_SECOND], {
    'The list of the second variant does not check the age of a token': accept('accessIsFresh'),
  }),
  ...ofDetails([EXPIRED], {
    'A detail is answered with 404 when the token has expired': refuseWith('token_expired', 404),
    'A detail is answered with 401 for the first expired token, and with 403 from then on': when(
      from(2),
      refuseWith('token_expired', 403),
    ),
  }),
  ...ofInformation([EXPIRED_IN_THE_SECOND], {
    'The information is answered with 400 when the token has expired': refuseWith('token_expired', 400),
  }),
  ...ofDetails([REVOKED], {
    'A detail does not check whether a token was revoked': refuse('accessIsRevoked'),
    'A detail is answered with 403 when the token was revoked': refuseWith('token_revoked', 403),
  }),
  ...defectsOf([REVOKED_IN_THE_SECOND], {
    'The second variant of accounts does not check whether a token was revoked': when(
      ({ endpoint, variant }) => endpoint !== 'transactions' && variant === 'second',
      refuse('accessIsRevoked'),
    ),
  }),
  ...ofListsOfTheSecond([REVOKED_IN_THE_SECOND], {
    'The list of the second variant is answered with 403 when the token was revoked': refuseWith(
      'token_revoked',
      403,
    ),
  }),
  ...ofDetails([ACC.detailWithoutTokenIsRefused], {
    'A detail without a token is answered as for the last caller': serveTheLastCaller(
      ({ header }) => header === undefined,
    ),
  }),
  ...ofDetails([ACC.detailWithoutTokenIsRefused, 'ENV-11', 'ENV-24'], {
    'For the detail, an unknown token is taken for the last known one': acceptUnknownTokens,
  }),
  ...ofListsOfTheSecond([ACC.secondVariantWithoutTokenIsRefused], {
    'The list of the second variant needs no token': serveTheLastCaller(({ header }) => header === undefined),
  }),
  ...ofInformation([ACC.secondVariantWithoutTokenIsRefused], {
    'The information is answered to a Bearer header without a token': serveTheLastCaller(
      ({ header }) => header === 'Bearer',
    ),
  }),
]

export const isolationDefects: readonly Defect[] = [
  ...withoutConsent,
  ...ofAnotherCustomer,
  ...disclosed,
  ...statuses,
  ...tokens,
]
