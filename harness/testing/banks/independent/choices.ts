/** The freedoms of a bank that the command line of this bank selects. */

export interface Choices {
  readonly consentStatus: number
  readonly consentShape: 'nested' | 'flat' | 'list'
  readonly sameRequestSameConsent: boolean
  readonly bodyOfConsentRefused: boolean
  readonly stateRequired: boolean
  readonly lapsedAddressStatus: number
  readonly staysLoggedIn: boolean
  readonly deniedEndsConsent: boolean
  readonly consentOfOneCustomer: boolean
  readonly scopeRequired: boolean
  readonly scopeOfAnswer: boolean
  readonly missingVerifier: 'invalid_grant' | 'invalid_request'
  readonly failureBurnsCode: boolean
  readonly refreshEndsRefreshToken: boolean
  readonly refreshEndsAccessToken: boolean
  readonly refreshOutlives: boolean
  readonly laterGrantEndsEarlier: boolean
  readonly codeSeconds: number
  readonly bareRefusals: boolean
  readonly hiddenStatus: number
  readonly sizesRefused: boolean
  readonly newestFirst: boolean
  readonly paging: 'offset' | 'page' | 'link' | 'cursor'
  readonly refreshStatus: number
  readonly refreshConsentIn: 'query' | 'header' | 'body' | 'token'
  readonly taskEvents: 'UPDATED' | 'ADDED'
  readonly hookMethod: 'PUT' | 'POST'
  readonly hookShape: 'keyed' | 'flat'
  readonly ownersAreNotified: boolean
  readonly idsOfMovements: boolean
  /** Pages hold the authorization request in hidden fields, and refusals of the token endpoint quote the request. */
  readonly echoesRequests: boolean
}

const DEFAULTS: Choices = {
  consentStatus: 202,
  consentShape: 'nested',
  sameRequestSameConsent: false,
  bodyOfConsentRefused: false,
  stateRequired: false,
  lapsedAddressStatus: 403,
  staysLoggedIn: false,
  deniedEndsConsent: false,
  consentOfOneCustomer: false,
  scopeRequired: false,
  scopeOfAnswer: true,
  missingVerifier: 'invalid_grant',
  failureBurnsCode: true,
  refreshEndsRefreshToken: false,
  refreshEndsAccessToken: true,
  refreshOutlives: false,
  laterGrantEndsEarlier: false,
  codeSeconds: 90,
  bareRefusals: false,
  hiddenStatus: 403,
  sizesRefused: false,
  newestFirst: false,
  paging: 'offset',
  refreshStatus: 202,
  refreshConsentIn: 'query',
  taskEvents: 'UPDATED',
  hookMethod: 'PUT',
  hookShape: 'keyed',
  ownersAreNotified: true,
  idsOfMovements: true,
  echoesRequests: false,
}

const valueOf = (text: string): string | number | boolean => {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+$/.test(text) ? Number(text) : text
}

/** @param options `name=value`, from the command line. */
export const choose = (options: readonly string[]): Choices => {
  const chosen: Record<string, string | number | boolean> = { ...DEFAULTS }
  for (const one of options) {
    const [name = '', text = ''] = one.split('=')
    const value = valueOf(text)
    if (!(name in chosen) || typeof chosen[name] !== typeof value) throw new Error(`no such choice: ${one}`)
    chosen[name] = value
  }
  return chosen as unknown as Choices
}
