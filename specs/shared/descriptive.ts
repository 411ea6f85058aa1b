/**
 * Words of the interface that no row of the catalogue quotes, or that only rows judge which compare with the profile
 * (`fromProfile`), and why.
 */
export interface Descriptive {
  /** Words of the interface, to the letter. */
  readonly quote: string
  readonly because: string
}

export const descriptive: readonly Descriptive[] = [
  {
    quote:
      'This document covers the whole interface of the service: the account-information API (consent, OAuth 2.0 authorization, accounts, balances, transactions, refresh, webhooks), the payment API (initiation, status, submission, status and reason codes) and the sandbox of the installment-loan API (precalculation, application, cancellation, status).',
    because: 'says what the document is about and lists its chapters',
  },
  {
    quote: 'Base addresses are written {base_url}.',
    because: 'a notation',
  },
  {
    quote: "The service is a bank's open interface.",
    because: 'says what the service is',
  },
  {
    quote: 'Two kinds of application use the account API.',
    because: 'counts the kinds; what each of them may do is judged in consent and authorization',
  },
  {
    quote: 'A Final Api Consumer (FAC) uses it for its own data.',
    because: 'says what a FAC is; its scope is judged in authorization',
  },
  {
    quote: 'A webhook mechanism notifies the application of changes on authorized accounts.',
    because: 'repeated in full in Events, where webhooks quotes it',
  },
  {
    quote: 'The installment-loan API is available in a sandbox.',
    because: 'repeated with its base path in the introduction, where environments quotes it',
  },
  {
    quote:
      'It has loan precalculation, application submission, cancellation and status query, with scripted scenarios.',
    because: 'lists the loan operations; loans quotes each of them in Endpoints',
  },
  {
    quote:
      'The precalculation input carries a loan amount, a monthly income, monthly expenses and a number of children',
    because: 'says what the caller sends; the scenarios of Limits are judged with it',
  },
  {
    quote: 'Access token and refresh token (see Resources).',
    because: 'refers to the table of the token response, which tokens quotes',
  },
  {
    quote: 'A page of transactions.',
    because: 'repeated in full in Resources, where transactions quotes it',
  },
  {
    quote: 'Further initiation methods exist.',
    because: 'says that there may be more of them; that they answer alike is judged in payments',
  },
  {
    quote: 'Body with loan amount, monthly income, monthly expenses, number of children.',
    because: 'says what the caller sends; the scenarios of Limits are judged with it',
  },
  {
    quote: '| taskId. |',
    because: 'repeated in full in Resources, where refresh quotes it',
  },
  {
    quote: 'Precalculation result.',
    because:
      'names the answer; which one it is, for which input, is judged in loans by the scenarios of Limits',
  },
  {
    quote: 'Application record.',
    because: 'names the answer, whose fields are not shown',
  },
  {
    quote: 'Free text.',
    because: 'says what may be typed; what a URL must not have is judged in webhooks',
  },
  {
    quote: 'Free text, optional.',
    because: 'says what may be typed; its pattern is judged in webhooks',
  },
  {
    quote: "Send the user's browser to the authorization endpoint.",
    because: 'says what the application does',
  },
  {
    quote: "Other banks' data must be updated by the TPP with PUT /refresh.",
    because: 'binds the TPP; what the refresh brings is judged in refresh',
  },
  {
    quote: 'Two status notions exist.',
    because: 'announces the next two sentences',
  },
  {
    quote: 'Loan sandbox result codes:',
    because: 'announces the next table, whose rows are quoted',
  },
  {
    quote: 'Payment reason codes (ISO 20022):',
    because: 'announces the next table, whose rows are quoted',
  },
  {
    quote: 'Flow:',
    because: 'announces the next steps',
  },
  {
    quote: '(EUR amounts, integers in the scenarios)',
    because: 'says how the values of the scenarios are written, which loans sends as they are',
  },
  {
    quote: '| no token | token endpoint, authorization code exchange |',
    because: 'the state before; tokens judges the exchange by its result',
  },
  {
    quote: '| token valid |',
    because: 'the state after: tokens judges that an issued token opens the data',
  },
  {
    quote: '| POST | /v1/consents |',
    because: 'that the operation is served there is judged by ENV-04',
  },
  {
    quote: 'Query: client_id, response_type (value code), redirect_uri, scope, state, code_challenge,',
    because:
      'the parameters of RFC 6749 §4.1.1 and RFC 7636 §4.3; authorization sends all of them in each request, and judges each by what follows from it',
  },
  {
    quote: '| POST | /auth/oauth/v2/token |',
    because: 'that the endpoint is served there is judged by ENV-05, and for loans by ENV-37',
  },
  {
    quote: '| GET | /v1/accounts | none |',
    because:
      'that the operation is served there is judged by ENV-04, and all of accounts sends it without parameters',
  },
  {
    quote: '| POST | /api/v1/accounts/information |',
    because: 'that the operation is served there is judged by ENV-26',
  },
  {
    quote: '| POST | /payments/<other initiation method> |',
    because: 'a placeholder: which other methods there are is not shown',
  },
  {
    quote: '| POST | /payments/submission |',
    because: 'that the operation is served there is judged by ENV-27',
  },
  {
    quote: '| PUT | /v1/applications/precalculation |',
    because: 'that the operation is served there is judged by ENV-37',
  },
  {
    quote: '| DELETE | /v1/applications/{application-id} | path application-id |',
    because: 'that the operation is served there is judged by ENV-37',
  },
  {
    quote: '| GET | /v1/applications/{application-id}/status | path application-id |',
    because: 'that the operation is served there is judged by ENV-37',
  },
  {
    quote: 'Webhook calls from the service to the application may carry',
    because: 'a permission; what the header has where it is sent is judged in webhooks',
  },
  {
    quote: '(see Events)',
    because: 'a reference',
  },
  {
    quote: '| Webhook Endpoint (URL) |',
    because: 'the name of a setting',
  },
  {
    quote: '| Webhook Security Header |',
    because: 'the name of a setting',
  },
  {
    quote: "Provided only for accounts held at the service's own bank.",
    because: 'which accounts the service holds itself is not shown in any answer: the profile lists them',
  },
  {
    quote: "| AC04 | Account number has been closed on the receiver's books. |",
    because:
      'only the bank knows which account is closed: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  },
  {
    quote: '| AG01 | Transaction forbidden on this type of account. |',
    because:
      'only the bank knows which type of account an account has: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  },
  {
    quote: '| AM04 | Available funds are insufficient to cover the amount. |',
    because:
      'only the bank knows which funds an account has: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  },
  {
    quote: '| AM09 | Amount received is not the amount agreed or expected. |',
    because:
      'only the bank knows which amount was agreed: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  },
  {
    quote: '| MS03 | Reason not specified by the agent. |',
    because:
      'only the bank knows which orders it rejects without a reason: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  },
  {
    quote: '| RC01 | Bank identifier code has an incorrect format. |',
    because:
      'only the bank knows where an order has a bank identifier code: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  },
  {
    quote: '| TM01 | Message received after the agreed processing cut-off time. |',
    because:
      'only the bank knows which cut-off time was agreed: the profile names an order that must have this reason, and one that does not lead to it is reported as a mistake of the profile',
  },
  {
    quote: '| Sandbox status change interval | about 3 minutes | Loan sandbox, after scenario selection. |',
    because:
      'judged with 3 minutes, and 60 s more or less, unless the profile gives another interval: how far "about" reaches is not shown',
  },
]
