import type { Dispatcher } from 'undici'
import { Ended, faultOf, type Body, type Exchange } from '../../evidence/exchange.ts'
import { errorOf } from '../../evidence/errors.ts'
import { keepBody, type Recorded, type WireRecord } from '../../evidence/recorder.ts'
import { encodeForm, type HttpRequest } from './request.ts'
import type { HeaderPlaces } from '../../profile/header-places.ts'
import type { Next, Sending } from './layers/layer.ts'

/** Sends a request once, below all layers. */

export interface Network {
  /** A dispatcher that includes the recorder. */
  readonly dispatcher: Dispatcher
  /** How long a request may take, in ms. */
  readonly requestMs: number
  /** A larger answer is not read to its end. */
  readonly answerBytes?: number
  /** How the bank refuses, as the profile says. */
  readonly refusals?: Exchange['refusals']
  /** Values of answers that may be in a header, by operation. */
  readonly inHeaders?: HeaderPlaces
  readonly now: () => Date
  /** Aborted at the end of the run: open requests are ended. */
  readonly ends?: AbortSignal
}

const bodyOf = ({ form, text }: HttpRequest): string | undefined =>
  form === undefined ? text : encodeForm(form)

const sentBody = (text: string | undefined): { body?: Body } =>
  text === undefined ? {} : { body: keepBody(Buffer.from(text)) }

export const sendOnce =
  (network: Network): Next =>
  async (sending) => {
    const { id, effect, request, onBody } = sending
    const { sender, operation, method, url, headers, customer, environment, successFields, emptyList } =
      request
    const body = bodyOf(request)
    const inHeaders = network.inHeaders?.[operation]
    const sentAt = network.now().toISOString()
    const { response, fault, bytes, durationMs } = await dispatch(network, sending, body)
    if (bytes !== undefined) onBody?.(bytes)
    return {
      kind: 'exchange',
      id,
      sender,
      operation,
      effect,
      ...(customer !== undefined && { customer }),
      ...(environment && { environment }),
      ...(successFields && { successFields }),
      ...(emptyList !== undefined && { emptyList }),
      ...(request.formEncoded && { formEncoded: true }),
      ...(inHeaders && { inHeaders }),
      ...(network.refusals && { refusals: network.refusals }),
      request: { method, url, headers, ...sentBody(body) },
      ...(response && { response }),
      ...(fault && { fault }),
      sentAt,
      durationMs,
    }
  }

const callOf = (
  { request: { url, method, headers }, isRepeatable }: Sending,
  body: string | undefined,
  recorded: Recorded,
): Dispatcher.DispatchOptions & Recorded => {
  const { origin, pathname, search } = new URL(url)
  return {
    origin,
    path: pathname + search,
    method,
    ...recorded,
    headers: headers.flat(),
    body: body ?? null,
    idempotent: isRepeatable,
  }
}

/** Ends a request without a complete response at the deadline; the recorder reports the fault. */
const dispatch = (
  { dispatcher, requestMs, answerBytes, ends }: Network,
  sending: Sending,
  body: string | undefined,
): Promise<WireRecord> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    let controller: Dispatcher.DispatchController | undefined
    let ended: Ended | undefined

    const finish = (): void => {
      clearTimeout(deadline)
      ends?.removeEventListener('abort', endWithRun)
    }
    const settle = (record: WireRecord): void => {
      finish()
      resolve(record)
    }
    const fail = (error: Error): void => {
      finish()
      reject(error)
    }
    const end = (error: Ended): void => {
      ended = error
      controller?.abort(error)
      // The recorder does not know a request that still waits for its connection.
      settle({ fault: faultOf(error), durationMs: performance.now() - startedAt })
    }
    const endWithRun = (): void => end(new Ended('RUN_ENDED'))
    const deadline = setTimeout(
      () => end(new Ended(controller === undefined ? 'UNCONNECTED' : 'DEADLINE')),
      requestMs,
    )
    ends?.addEventListener('abort', endWithRun, { once: true })

    const sink: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        // The connection was made too late: the request must not be sent, since its exchange is already recorded as a fault.
        if (ended !== undefined) started.abort(ended)
      },
      onResponseStart: () => undefined,
      onResponseData: () => undefined,
      onResponseEnd: () => undefined,
      // The recorder has handled every network result; a remaining error means that the request could not be sent.
      onResponseError: (_, error) => fail(error),
    }
    try {
      dispatcher.dispatch(callOf(sending, body, { onRecorded: settle, answerBytes }), sink)
    } catch (error) {
      fail(errorOf(error))
    }
  })
