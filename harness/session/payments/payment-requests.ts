import { messageOf } from '../../evidence/errors.ts'
import { NotReached } from '../../evidence/signals.ts'
import { isSecretHeader } from '../../profile/secrets.ts'
import { loadSignature, signedHeaders, type Sign } from '../../profile/signature.ts'
import { fill } from '../../profile/template.ts'
import { tokenRequest } from '../authorization/code-request.ts'
import { keepToken, tokenIn } from '../client-token.ts'
import { chance } from '../random.ts'
import { basic, change as changes, JSON_HEADER, type Change, type Fields } from '../http/request.ts'
import { urlOf, type FlowContext, type OperationRequest } from '../target.ts'
import type { Exchange } from '../../evidence/exchange.ts'
import type { ApplicationProfile } from '../../profile/schema.ts'
import type { PaymentsProfile } from '../../profile/schema/payments.ts'
import type { HttpRequest } from '../http/request.ts'

/** Authenticates the requests to the payment API, signs and sends them. */

/** What the payment operations of one application need. */
export interface PaymentsContext extends FlowContext {
  readonly payments: PaymentsProfile
  readonly application: ApplicationProfile
  readonly redirectUri: string
}

/** What a request says of one payment. */
interface PaymentValues {
  readonly orderId?: string
  /** The token of an authorization, in the place of that of the application. */
  readonly token?: string
  readonly approval?: string
}

export interface PaymentRequests {
  /** The first token response of the application; empty if it authenticates otherwise. */
  readonly tokens: readonly Exchange[]
  readonly send: (
    request: Omit<OperationRequest, 'headers'>,
    change: Change,
    payment?: PaymentValues,
  ) => Promise<Exchange>
  /** Asks the token endpoint. */
  readonly askForToken: (form: Fields) => Promise<Exchange>
}

/** @throws NotReached if the application gets no token. */
export const openPaymentRequests = async (context: PaymentsContext): Promise<PaymentRequests> => {
  const { payments, application, clock, http } = context
  const { signature: file } = payments
  const sign = file === undefined ? undefined : await loadSignature(file)
  const askForToken = (form: Fields): Promise<Exchange> => {
    const { credentials } = payments.token
    const url = urlOf(context, 'payments.token')
    return http.send(tokenRequest({ operation: 'token', url, form, application, credentials }))
  }
  const askForOwn = (): Promise<Exchange> => askForToken(Object.entries(payments.token.form))
  const tokens = payments.authentication === 'bearer' ? [await askForOwn()] : []
  const [first] = tokens
  if (first !== undefined) tokenIn(first)
  const own = first && keepToken(first, clock, askForOwn)

  return {
    tokens,
    askForToken,
    async send(request, change, payment = {}) {
      const bearer = payment.token ?? (await own?.value())
      const headers = headersOf(context, request, {
        ...payment,
        ...(bearer !== undefined && { token: bearer }),
      })
      const changed = change({ sender: 'scenario', ...request, headers })
      const signature = sign === undefined ? [] : await signatureOf(context, sign, changed)
      const signed = signature.reduce((one, [name, value]) => changes.header(name, value)(one), changed)
      const secrets = signature
        .filter(([name, value]) => isSecretHeader(name, value))
        .map(([name, value]) => ({ name, value }))
      return http.send(signed, () => secrets)
    },
  }
}

const authentication = (
  { payments, application: { clientId, clientSecret } }: PaymentsContext,
  token: string | undefined,
): Fields => {
  if (payments.authentication === 'basic') return [['Authorization', basic(clientId, clientSecret)]]
  return payments.authentication === 'bearer' ? [['Authorization', `Bearer ${token ?? ''}`]] : []
}

const headersOf = (
  context: PaymentsContext,
  { text }: Pick<HttpRequest, 'text'>,
  { token, orderId, approval }: PaymentValues,
): Fields => {
  const { payments, application, redirectUri, random = chance } = context
  const { clientId } = application
  return [
    [payments.requestIdHeader, random.uuid()],
    ...authentication(context, token),
    ...filledHeaders(payments.headers, { redirectUri, clientId, orderId, approval }),
    ...(text === undefined ? [] : [JSON_HEADER]),
  ]
}

/** The headers of a template. One with a placeholder that has no value is left out. */
const filledHeaders = (
  templates: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string | undefined>>,
): Fields =>
  Object.entries(templates).flatMap(([name, template]) => {
    const lacks = Object.entries(values).some(
      ([key, value]) => value === undefined && template.includes(`{${key}}`),
    )
    return lacks ? [] : [[name, String(fill(template, values))] as const]
  })

/** The headers that the module of the profile adds. A request that is to be without credentials has no header at all. */
const signatureOf = async (
  { profile, application, clock }: PaymentsContext,
  sign: Sign,
  { method, url, headers, text = '' }: HttpRequest,
): Promise<Fields> => {
  if (headers.length === 0) return []
  try {
    const unsigned = {
      method,
      url,
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: text,
      environment: profile.environment,
      application: { name: application.name, clientId: application.clientId },
      now: clock.now(),
    }
    const added = await signedHeaders(sign, unsigned, profile.deadlines.requestMs)
    return Object.entries(added)
  } catch (error) {
    throw new NotReached(messageOf(error))
  }
}
