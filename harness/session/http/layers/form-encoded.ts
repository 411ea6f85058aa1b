import { basicHeader, formEncoded, type BasicCredentials } from '../../../profile/applications.ts'
import { change } from '../request.ts'
import type { Exchange } from '../../../evidence/exchange.ts'
import type { Layer } from './layer.ts'

export interface KnownCredentials {
  readonly pairs: readonly BasicCredentials[]
  readonly isUnknownClient: (exchange: Exchange) => boolean
}

/**
 * The interface joins client_id and secret as they are, and RFC 6749 §2.3.1 form-encodes them first. Where this differs and a
 * target has refused the client twice, the other spelling is tried once: if the client is known then, it is used from then on.
 */
export const withFormEncodedCredentials = ({ pairs, isUnknownClient }: KnownCredentials): Layer => {
  const others = new Map(
    pairs.flatMap((pair) => {
      const [plain, encoded] = [basicHeader(pair), basicHeader(formEncoded(pair))]
      return plain === encoded ? [] : [[plain, { encoded, isUsed: false as boolean }] as const]
    }),
  )
  return async (sending, next) => {
    const [, plain = ''] =
      sending.request.headers.find(([name]) => name.toLowerCase() === 'authorization') ?? []
    const other = others.get(plain)
    if (other === undefined) return next(sending)
    const request = {
      ...change.header('Authorization', other.encoded)(sending.request),
      formEncoded: true,
    } as const
    if (other.isUsed) return next({ ...sending, request })
    const first = await next(sending)
    if (!isUnknownClient(first)) return first
    others.delete(plain)
    const control = await next(sending)
    if (!isUnknownClient(control)) return control
    const encoded = await next({ ...sending, request })
    if (encoded.response === undefined || isUnknownClient(encoded)) return control
    others.set(plain, { ...other, isUsed: true })
    return encoded
  }
}
