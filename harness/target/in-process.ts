import { Dispatcher } from 'undici'
import { spelled, type HeaderCase } from '../bank/header-case.ts'

/**
 * A dispatcher that hands requests to a function instead of a socket. The proof tries hundreds of banks, and a socket
 * for each would prove nothing more: what they do wrong does not depend on it.
 */
export class InProcessDispatcher extends Dispatcher {
  readonly #fetch: (request: Request) => Promise<Response>
  readonly #headerCase: HeaderCase | undefined

  /** @param headerCase how the names of headers are spelled; in lower case, if it is left out. */
  constructor(fetch: (request: Request) => Promise<Response>, headerCase?: HeaderCase) {
    super()
    this.#fetch = fetch
    this.#headerCase = headerCase
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const controller = new Controller()
    handler.onRequestStart?.(controller, {})
    this.#answer(options, handler, controller).catch((error: unknown) =>
      handler.onResponseError?.(controller, error as Error),
    )
    return true
  }

  async #answer(
    { origin, path, method, headers, body }: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    controller: Controller,
  ): Promise<void> {
    const request = new Request(`${String(origin)}${path}`, {
      method,
      headers: pairs(headers as readonly string[]),
      body: (body as string | null | undefined) ?? null,
      redirect: 'manual',
    })
    const response = await this.#fetch(request)
    const bytes = Buffer.from(await response.arrayBuffer())
    controller.throwIfAborted()
    for (const [name, value] of response.headers) controller.rawHeaders.push(this.#named(name), value)
    handler.onResponseStart?.(controller, response.status, {}, response.statusText)
    if (bytes.length > 0) handler.onResponseData?.(controller, bytes)
    controller.throwIfAborted()
    handler.onResponseEnd?.(controller, {})
  }

  #named(name: string): string {
    return this.#headerCase === undefined ? name : spelled(name, this.#headerCase)
  }

  override async close(): Promise<void> {
    // Nothing is open.
  }

  override async destroy(): Promise<void> {
    // Nothing is open.
  }
}

class Controller implements Dispatcher.DispatchController {
  readonly paused = false
  readonly rawTrailers = null
  readonly rawHeaders: string[] = []
  reason: Error | null = null

  get aborted(): boolean {
    return this.reason !== null
  }

  abort(reason: Error): void {
    this.reason = reason
  }

  throwIfAborted(): void {
    if (this.reason !== null) throw this.reason
  }

  pause(): void {
    // A whole answer is at hand before any of it is given.
  }

  resume(): void {
    // Never paused.
  }
}

const pairs = (flat: readonly string[]): [string, string][] => {
  const fields: [string, string][] = []
  for (let at = 0; at + 1 < flat.length; at += 2) fields.push([flat[at] ?? '', flat[at + 1] ?? ''])
  return fields
}
