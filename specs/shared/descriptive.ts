/**
 * Words of the interface that no row of the catalogue quotes, or that only rows judge which compare with the profile
 * (`fromProfile`), and why.
 */
export interface Descriptive {
  /** Words of the interface, to the letter. */
  readonly quote: string
  readonly because: string
}

/** Why, by the words. */
const REASONS: Readonly<Record<string, string>> = {
  'This document covers the whole interface of the service: the account-information API (consent, OAuth 2.0 authorization, accounts, balances, transactions, refresh, webhooks), the payment API (initiation, status, submission, status and reason codes) and the sandbox of the installment-loan API (precalculation, application, cancellation, status).':
    'says what the document is about and lists its chapters',
  'Base addresses are written {base_url}.': 'a notation',
  "The service is a bank's open interface.": 'says what the service is',
  'Two kinds of application use the account API.':
    'counts the kinds; what each of them may do is judged in consent and authorization',
  'A Final Api Consumer (FAC) uses it for its own data.':
    'says what a FAC is; its scope is judged in authorization',
  'A webhook mechanism notifies the application of changes on authorized accounts.':
    'repeated in full in Events, where webhooks quotes it',
  'The installment-loan API is available in a sandbox.':
    'repeated with its base path in the introduction, where environments quotes it',
  'It has loan precalculation, application submission, cancellation and status query, with scripted scenarios.':
    'lists the loan operations; loans quotes each of them in Endpoints',
  'The precalculation input carries a loan amount, a monthly income, monthly expenses and a number of children':
    'says what the caller sends; the scenarios of Limits are judged with it',
  'Access token and refresh token (see Resources).':
    'refers to the table of the token response, which tokens quotes',
  'A page of transactions.': 'repeated in full in Resources, where transactions quotes it',
  'Further initiation methods exist.':
    'says that there may be more of them; that they answer alike is judged in payments',
  'Body with loan amount, monthly income, monthly expenses, number of children.':
    'says what the caller sends; the scenarios of Limits are judged with it',
  '| taskId. |': 'repeated in full in Resources, where refresh quotes it',
  'Precalculation result.':
    'names the answer; which one it is, for which input, is judged in loans by the scenarios of Limits',
  'Application record.': 'names the answer, whose fields are not shown',
  'Free text.': 'says what may be typed; what a URL must not have is judged in webhooks',
  'Free text, optional.': 'says what may be typed; its pattern is judged in webhooks',
  "Send the user's browser to the authorization endpoint.": 'says what the application does',
  "Other banks' data must be updated by the TPP with PUT /refresh.":
    'binds the TPP; what the refresh brings is judged in refresh',
  'Two status notions exist.': 'announces the next two sentences',
  'Loan sandbox result codes:': 'announces the next table, whose rows are quoted',
  'Payment reason codes (ISO 20022):': 'announces the next table, whose rows are quoted',
  'Flow:': 'announces the next steps',
  '(EUR amounts, integers in the scenarios)':
    'says how the values of the scenarios are written, which loans sends as they are',
  '| no token | token endpoint, authorization code exchange |':
    'the state before; tokens judges the exchange by its result',
  '| token valid |': 'the state after: tokens judges that an issued token opens the data',
  '| POST | /v1/consents |': 'that the operation is served there is judged by ENV-04',
  'Query: client_id, response_type (value code), redirect_uri, scope, state, code_challenge,':
    'the parameters of RFC 6749 §4.1.1 and RFC 7636 §4.3; authorization sends all of them in each request, and judges each by what follows from it',
  '| POST | /auth/oauth/v2/token |':
    'that the endpoint is served there is judged by ENV-05, and for loans by ENV-37',
  '| GET | /v1/accounts | none |':
    'that the operation is served there is judged by ENV-04, and all of accounts sends it without parameters',
  '| POST | /api/v1/accounts/information |': 'that the operation is served there is judged by ENV-26',
  '| POST | /payments/<other initiation method> |':
    'a placeholder: which other methods there are is not shown',
  '| POST | /payments/submission |': 'that the operation is served there is judged by ENV-27',
  '| PUT | /v1/applications/precalculation |': 'that the operation is served there is judged by ENV-37',
  '| DELETE | /v1/applications/{application-id} | path application-id |':
    'that the operation is served there is judged by ENV-37',
  '| GET | /v1/applications/{application-id}/status | path application-id |':
    'that the operation is served there is judged by ENV-37',
  'Webhook calls from the service to the application may carry':
    'a permission; what the header has where it is sent is judged in webhooks',
  '(see Events)': 'a reference',
  '| Webhook Endpoint (URL) |': 'the name of a setting',
  '| Webhook Security Header |': 'the name of a setting',
  "Provided only for accounts held at the service's own bank.":
    'which accounts the service holds itself is not shown in any answer: the profile lists them',
  "| AC04 | Account number has been closed on the receiver's books. |":
    'only the bank knows which account is closed: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  '| AG01 | Transaction forbidden on this type of account. |':
    'only the bank knows which type of account an account has: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  '| AM04 | Available funds are insufficient to cover the amount. |':
    'only the bank knows which funds an account has: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  '| AM09 | Amount received is not the amount agreed or expected. |':
    'only the bank knows which amount was agreed: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  '| MS03 | Reason not specified by the agent. |':
    'only the bank knows which orders it rejects without a reason: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  '| RC01 | Bank identifier code has an incorrect format. |':
    'only the bank knows where an order has a bank identifier code: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  '| TM01 | Message received after the agreed processing cut-off time. |':
    'only the bank knows which cut-off time was agreed: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  '| Sandbox status change interval | about 3 minutes | Loan sandbox, after scenario selection. |':
    'judged with 3 minutes, and 60 s more or less, unless the profile gives another interval: how far "about" reaches is not shown',
}

export const descriptive: readonly Descriptive[] = Object.entries(REASONS).map(([quote, because]) => ({
  quote,
  because,
}))
