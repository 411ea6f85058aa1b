import { type Facts, rule } from './facts.ts'

/** The answers to requests that reach no operation. */

/** An answer without a call: its status, its headers and its body, if it has one. */
export interface PlainAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface AddressFacts extends Facts {
  readonly url: string
}

const refusal = (status: number, errorCode: string, errorDescription: string): PlainAnswer => ({
  status,
  headers: { 'content-type': 'application/json;charset=UTF-8' },
  body: JSON.stringify({ errorCode, errorDescription }),
})

export const addressRules = {
  /** The answer at an address where the bank has nothing. */
  nothingFound: rule<AddressFacts, PlainAnswer>(() =>
    refusal(404, 'NOT_FOUND', 'There is nothing at this address.'),
  ),
  /** The answer to a request over plain HTTP, at a bank that requires TLS. */
  refusalWithoutTls: rule<AddressFacts, PlainAnswer>(() =>
    refusal(403, 'TLS_REQUIRED', 'Send the request over HTTPS.'),
  ),
}
