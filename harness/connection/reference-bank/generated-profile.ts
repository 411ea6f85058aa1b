import {
  basesOf,
  causesOf,
  generatedNames,
  loanFields,
  orderFields,
  pathsOf,
  scenariosOf,
  type GeneratedNames,
} from '../../bank/dialects/generated.ts'
import { toDialect, type FieldMap } from '../../bank/dialects/json.ts'
import { nested } from '../../profile/template.ts'
import type { ProfileInput } from '../../profile/schema.ts'

/** The profile of a bank with a generated dialect, derived from that of the reference bank. */

type Payments = NonNullable<ProfileInput['payments']>
type Loans = NonNullable<ProfileInput['loans']>
type Body = NonNullable<NonNullable<Payments['submission']>['body']>
type Positive = NonNullable<NonNullable<Loans['precalculation']>['positive']>
type Order = { readonly change?: Body | undefined; readonly method?: string | undefined }

const HERE = new URL('http://bank.example/')

const AMOUNTS = ['{amount}', '{amountMinor}', '{amountText}'] as const

const translated = (template: unknown, fieldMap: FieldMap): Body =>
  toDialect(template, fieldMap, { here: HERE, there: HERE }) as Body

const authorizationOf = (names: GeneratedNames): NonNullable<ProfileInput['authorization']> => ({
  kind: 'pages',
  pages: [
    {
      when: `input[name=${names.username}]`,
      fill: {
        [`input[name=${names.username}]`]: '{username}',
        [`input[name=${names.password}]`]: '{password}',
      },
      press: 'button[type=submit]',
    },
    {
      when: `button[value=${names.decision}-a]`,
      press: `button[value=${names.decision}-a]`,
      refuse: `button[value=${names.decision}-b]`,
      tickAccounts: 'input[name=account][value="{choice}"]',
    },
    { when: 'form', press: 'button[type=submit]' },
  ],
  code: ['#code', '[data-code=x]', '#shown'][names.form],
  ...(names.form === 1 && { codePattern: String.raw`It is: (\S+)` }),
})

const operationsOf = (names: GeneratedNames): NonNullable<ProfileInput['operations']> => {
  const { requestId: requestIdHeader, form, within } = names
  const isBare = form === 1
  return {
    createConsent: { requestIdHeader, ...(isBare && { success: [200] }) },
    token: {
      refreshToken: names.refreshToken,
      refreshForm: { grant_type: 'refresh_token', [names.refreshToken]: '{refresh_token}' },
      ...(form !== 0 && { errorCode: names.code }),
    },
    listAccounts: {
      requestIdHeader,
      accounts: isBare ? '$' : within(names.accounts),
      iban: names.iban,
      ...(isBare && { success: [203] }),
    },
    readAccount: {
      requestIdHeader,
      iban: within(names.iban),
      balances: within(names.balances),
      amount: names.amount,
      ...(isBare && { success: [203] }),
    },
    listTransactions: {
      requestIdHeader,
      transactions: isBare ? '$' : within(names.transactions),
      id: names.transactionId,
      paging: isBare ? { kind: 'link-header' } : { kind: 'link', next: within(names.next) },
      ...(isBare && { success: [206], query: { [names.mark]: names.mark } }),
    },
    refresh: {
      requestIdHeader,
      body: nested(within(names.consentId), '{consentId}'),
      headers: { [names.address]: '192.0.2.7' },
      ...(isBare && { success: [200] }),
    },
  }
}

const secondOf = (names: GeneratedNames): NonNullable<ProfileInput['secondVariant']> => {
  const { form, within } = names
  const { listInSecond, readInSecond, searchInSecond } = pathsOf(names)
  const account = {
    picked: { [names.accountId]: '{accountId}' },
    typed: { [names.typedIban]: '{iban}' },
  }
  return {
    basePaths: basesOf(names).second,
    requestIdHeader: names.requestId,
    listAccounts: {
      path: listInSecond,
      accounts: form === 1 ? '$' : within(names.accounts),
      id: names.identification,
      iban: names.iban,
    },
    readAccount: {
      path: readInSecond,
      ...account,
      iban: within(names.iban),
      balances: within(names.balances),
      amount: names.amount,
    },
    listTransactions: {
      path: searchInSecond,
      ...account,
      transactions: within(names.transactions),
      id: names.transactionId,
      pageSize: names.pageSize,
      paging:
        form === 2
          ? { kind: 'cursor', parameter: names.page, next: within(names.next) }
          : {
              kind: 'number',
              parameter: names.page,
              count: within(names.pageCount),
              ...(form === 1 && { first: 0 }),
            },
    },
  }
}

const paymentsOf = (names: GeneratedNames, own: Payments): Payments => {
  const fieldMap = orderFields(names)
  const { payments, oauth } = basesOf(names)
  const { authorizePayment, paymentToken, ...paths } = pathsOf(names)
  const changed = <One extends Order>(order: One): One => ({
    ...order,
    ...(order.change !== undefined && { change: translated(order.change, fieldMap) }),
  })
  const inDialect = (orders: Readonly<Record<string, unknown>> | undefined) =>
    Object.fromEntries(
      Object.entries(orders ?? {}).map(([code, order]) => [
        code,
        Array.isArray(order) ? order.map((one: Order) => changed(one)) : changed(order as Order),
      ]),
    )
  return {
    ...own,
    basePaths: payments,
    oauthBasePaths: oauth,
    requestIdHeader: names.requestId,
    token: {
      path: paymentToken,
      form: { grant_type: 'client_credentials', scope: names.scope },
      ...(names.form === 1 && { credentials: 'form' }),
    },
    authorize: { path: authorizePayment, scope: names.scope, parameter: names.orderId },
    initiations: own.initiations?.map(({ name, body, ...rest }) => ({
      ...rest,
      name,
      path: paths[name as 'ecomm' | 'standard' | 'batch'],
      body: JSON.parse(
        JSON.stringify(translated(body, fieldMap)).replaceAll('{amount}', AMOUNTS[names.form]),
      ) as Body,
    })),
    provocations: inDialect(own.provocations),
    rejectedAtSubmission: inDialect(own.rejectedAtSubmission),
  }
}

const SCENARIO = '{scenario}'

const scenarioOf = (names: GeneratedNames, own: Loans): Loans['scenario'] => {
  const values = scenariosOf(names)
  const body = nested(names.within(names.scenario), SCENARIO)
  if (names.form === 1) return { kind: 'parameter', values, patch: body }
  const path = pathsOf(names).selectScenario.replace('{id}', '{application-id}')
  if (names.form === 2) return { kind: 'call', values, path, body }
  return {
    kind: 'page',
    link: names.within(names.process),
    ...(own.scenario?.kind === 'page' && own.scenario),
  }
}

const positiveOf = ({ form, result, offers, within }: GeneratedNames): Positive => {
  if (form === 0) return { kind: 'status' }
  return form === 1
    ? { kind: 'member', member: result, values: ['a'] }
    : { kind: 'list', list: within(offers) }
}

const loansOf = (names: GeneratedNames, own: Loans): Loans => {
  const { form, within } = names
  const fieldMap = loanFields(names)
  const capacity = {
    monthlyIncome: '{income}',
    monthlyExpenses: '{expenses}',
    numberOfChildren: '{children}',
  }
  return {
    ...own,
    basePath: basesOf(names).loans.sandbox,
    requestIdHeader: names.requestId,
    ...(form === 1 && {
      token: {
        form: { grant_type: 'client_credentials', scope: 'PAY_LATER', [names.mark]: names.mark },
        credentials: 'basic' as const,
      },
    }),
    precalculation: {
      body: translated({ loanAmount: '{amount}' }, fieldMap),
      capacity: translated({ capacityInfo: capacity }, fieldMap),
      positive: positiveOf(names),
      cause: { member: within(names.cause), ...causesOf(names) },
    },
    submission: {
      body: translated(own.submission?.body, fieldMap),
      id: within(names.applicationId),
    },
    scenario: scenarioOf(names, own),
    status: { status: within(names.status), code: within(names.resultCode) },
    errorCode: form === 0 ? 'errorCode' : within(names.code),
  }
}

/** The keys of the profile of a bank with this generated dialect. @param own the profile of the reference bank */
export const generatedProfile = (number: number, own: ProfileInput): ProfileInput => {
  const names = generatedNames(number)
  return {
    ...own,
    basePaths: basesOf(names).accounts,
    authorization: authorizationOf(names),
    operations: operationsOf(names),
    secondVariant: secondOf(names),
    ...(own.payments && { payments: paymentsOf(names, own.payments) }),
    ...(own.loans && { loans: loansOf(names, own.loans) }),
  }
}
