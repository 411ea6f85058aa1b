import type { Layer } from './layer.ts'

/** The origin that the target writes into its addresses, and the one at which it is reached instead. */
export interface PublicOrigin {
  readonly named: string
  readonly reached: string
}

/** The same address at another origin, if it is at the first one. */
const moved = (url: string, from: string, to: string): string =>
  new URL(url).origin === from ? to + url.slice(new URL(url).origin.length) : url

/** The address as the target names it. */
export const asNamed = ({ named, reached }: PublicOrigin, url: string): string => moved(url, reached, named)

/** Sends a request that is meant for the public origin to the one at which the target is reached. */
export const atReachedOrigin =
  (origin: PublicOrigin | undefined): Layer =>
  (sending, next) => {
    if (origin === undefined) return next(sending)
    const { request } = sending
    return next({
      ...sending,
      request: { ...request, url: moved(request.url, origin.named, origin.reached) },
    })
  }
