import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Bench } from 'tinybench'
import { Agent, request as send, type Dispatcher } from 'undici'
import { openJournal, type Journal } from '../evidence/journal.ts'
import { recorder } from '../evidence/recorder.ts'
import { createHttp } from '../session/http/http.ts'
import { httpOptions, type BenchTarget, type RecordedRequest } from './recorded-requests.ts'
import type { Exchange } from '../evidence/exchange.ts'

/** The wall time of one exchange with the same bank: bare undici, and the suite with recording, journal and redaction. */

export interface ExchangeFigures {
  readonly inFlight: number
  /** In µs, with the answer of the bank. */
  readonly undiciUs: number
  readonly suiteUs: number
  readonly ratio: number
}

/** Sends requests one after the other. */
type Pass<Answer> = () => Promise<readonly Answer[]>

/** What the suite has sent, which asks again what was refused. It is prepared beforehand: only undici is measured. */
const passOfUndici = (sent: readonly Exchange[], dispatcher: Dispatcher): Pass<number> => {
  const calls = sent.map(({ request }) => ({
    url: request.url,
    options: {
      dispatcher,
      method: request.method,
      headers: request.headers.flat(),
      body: request.body?.text ?? null,
    },
  }))
  return async () => {
    const statuses: number[] = []
    for (const { url, options } of calls) {
      const { statusCode, body } = await send(url, options)
      await body.text()
      statuses.push(statusCode)
    }
    return statuses
  }
}

/** One pass is one scenario, with a redactor of its own. Exchanges with new ids are written. */
const passOfSuite =
  (
    target: BenchTarget,
    requests: readonly RecordedRequest[],
    dispatcher: Dispatcher,
    journal: Journal,
  ): Pass<Exchange> =>
  async () => {
    const exchanges: Exchange[] = []
    const http = createHttp({
      ...httpOptions(target, dispatcher),
      scenario: `bench/${randomUUID()}`,
      onExchange: (exchange) => exchanges.push(exchange),
      journal,
    })
    for (const { request, secretsOf } of requests) await http.send(request, secretsOf)
    return exchanges
  }

const SECONDS = 4

const compare = async (
  inFlight: number,
  [undici, suite]: readonly [Pass<number>, Pass<Exchange>],
  sent: number,
): Promise<ExchangeFigures> => {
  const together = (pass: Pass<unknown>) => () => Promise.all(Array.from({ length: inFlight }, pass))
  const bench = new Bench({ time: SECONDS * 1000, warmupTime: 1000, throws: true })
  bench.add('undici', together(undici)).add('suite', together(suite))
  await bench.run()
  const microsecondsOf = (name: string): number => {
    const result = bench.getTask(name)?.result
    if (result?.state !== 'completed') throw new Error(`${name} was not measured`)
    return (result.latency.p50 * 1000) / (inFlight * sent)
  }
  const [undiciUs, suiteUs] = [microsecondsOf('undici'), microsecondsOf('suite')]
  return { inFlight, undiciUs, suiteUs, ratio: suiteUs / undiciUs }
}

export const measureExchanges = async (
  target: BenchTarget,
  requests: readonly RecordedRequest[],
  folder: string,
): Promise<readonly ExchangeFigures[]> => {
  const [bare, recorded] = [new Agent(), new Agent()]
  const journal = openJournal(join(folder, 'exchanges.jsonl'))
  const suite = passOfSuite(target, requests, recorded.compose(recorder), journal)
  try {
    const sent = await suite()
    const undici = passOfUndici(sent, bare)
    const [expected, got] = [await undici(), sent.map(({ response }) => response?.status)]
    if (got.join() !== expected.join())
      throw new Error(`undici got ${expected.join()}, the suite ${got.join()}`)
    const figures: ExchangeFigures[] = []
    for (const inFlight of [1, 10]) figures.push(await compare(inFlight, [undici, suite], sent.length))
    return figures
  } finally {
    journal.close()
    await Promise.all([bare.close(), recorded.close()])
  }
}
