/** A sentence or table row of the interface that no row of the catalogue quotes, and why. */
export interface Descriptive {
  /** Words of the interface, to the letter. */
  readonly quote: string
  readonly because: string
}

export const descriptive: readonly Descriptive[] = [
  {
    quote: 'This document covers the whole interface of the service:',
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
    quote: 'It has loan precalculation, application submission, cancellation and status query',
    because: 'lists the loan operations; loans quotes each of them in Endpoints',
  },
  {
    quote:
      'The precalculation input carries a loan amount, a monthly income, monthly expenses and a number of children',
    because: 'says what the caller sends; the scenarios of Limits are judged with it',
  },
  {
    quote: 'the 90-day legislative re-authorization applies.',
    because: 'says why tokens expire; that they do is judged in tokens',
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
    quote: 'The application maps the webhook to the refresh through taskId.',
    because: 'says what the application does; that the taskId is repeated is judged in webhooks',
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
]
