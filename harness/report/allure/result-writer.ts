import {
  ALLURE_HTTP_EXCHANGE_CONTENT_TYPE,
  ALLURE_HTTP_EXCHANGE_FILE_EXTENSION,
} from 'allure-js-commons/http'
import { coverageOf, renderModel, SVG } from '../drawing/svg.ts'
import { tallyVisits } from '../drawing/tally.ts'
import { renderTimeLine, titleOf } from '../drawing/time-line.ts'
import { renderExchange } from '../terminal/exchange-line.ts'
import { toTestResult } from './check-case.ts'
import { toHttpExchange } from './http-exchange.ts'
import { openResultFolder } from './result-folder.ts'
import type { Attachment } from 'allure-js-commons'
import type { EvidenceLookup } from '../terminal/failure.ts'
import type { CheckCase } from './check-case.ts'

/**
 * A property may rest on thousands of exchanges. The report shows the last of them, which are those of the smallest
 * counterexample; evidence.jsonl has all.
 */
const MOST_ATTACHMENTS = 24
/** Of a pass, which nobody has to find the cause of, a few will do. */
const MOST_OF_A_PASS = 4

/** Exchanges are numbered as they were sent; a judge may have looked at them in another order. */
const inOrder = new Intl.Collator('en', { numeric: true })

const shownOf = ({ report }: CheckCase): readonly string[] => {
  const most = report.verdict === 'pass' ? MOST_OF_A_PASS : MOST_ATTACHMENTS
  const shown = report.exchanges.toSorted(inOrder.compare).slice(-most)
  const witness = report.violation?.exchange
  return witness === undefined || shown.includes(witness) ? shown : [witness, ...shown.slice(1)]
}

const nameOf = (id: string, text: string, witness: boolean): string =>
  `${witness ? '✗ ' : ''}${id.split('/').at(-1) ?? id}  ${text}`

/** An exchange as it stands in a result. */
interface Written {
  readonly text: string
  readonly content: string
}

/** The checks of one scenario rest on the same exchanges, and are reported one behind the other. */
const MOST_REMEMBERED = 64

/** What was found last is not looked up again; what was not found may be there the next time. */
const rememberLast = <Found>(
  most: number,
  find: (id: string) => Found | undefined,
): ((id: string) => Found | undefined) => {
  const last = new Map<string, Found>()
  return (id) => {
    const found = last.get(id) ?? find(id)
    if (found === undefined) return undefined
    last.delete(id)
    last.set(id, found)
    const [oldest] = last.keys()
    if (last.size > most && oldest !== undefined) last.delete(oldest)
    return found
  }
}

/** Writes results into `allure-results` as they come, each whole, so that a killed run keeps what it had. */
export const createResultWriter = (
  resultsDir: string,
  evidence: EvidenceLookup,
): ((one: CheckCase) => void) => {
  const write = openResultFolder(resultsDir)

  const written = rememberLast(MOST_REMEMBERED, (id: string): Written | undefined => {
    const exchange = evidence(id)
    return exchange && { text: renderExchange(exchange), content: JSON.stringify(toHttpExchange(exchange)) }
  })

  const sources = new Map<string, string>()

  /** One file, however many results rest on the exchange: thousands of files take longer than all else here. */
  const sourceOf = (id: string, content: string): string => {
    const known = sources.get(id)
    if (known !== undefined) return known
    const source = `exchange-${sources.size + 1}-attachment${ALLURE_HTTP_EXCHANGE_FILE_EXTENSION}`
    write(source, content)
    sources.set(id, source)
    return source
  }

  const attach = (one: CheckCase, id: string): readonly Attachment[] => {
    const exchange = written(id)
    if (exchange === undefined) return []
    const name = nameOf(id, exchange.text, id === one.report.violation?.exchange)
    const source = sourceOf(id, exchange.content)
    return [{ name, source, type: ALLURE_HTTP_EXCHANGE_CONTENT_TYPE }]
  }

  const draw = ({ visits = [] }: CheckCase, uuid: string): readonly Attachment[] =>
    tallyVisits(visits).map((tally) => {
      const source = `${uuid}-${tally.name}-model-attachment.svg`
      write(source, renderModel(tally))
      return { name: coverageOf(tally), source, type: SVG }
    })

  const trace = ({ timeLines = [] }: CheckCase, uuid: string): readonly Attachment[] =>
    timeLines.map((line) => {
      const source = `${uuid}-${line.path}-path-attachment.svg`
      write(source, renderTimeLine(line))
      return { name: titleOf(line), source, type: SVG }
    })

  return (one) => {
    const shown = shownOf(one)
    const missing = one.report.exchanges.length - shown.length
    const note = `The last ${shown.length} of ${one.report.exchanges.length} exchanges are shown; evidence.jsonl has all.`
    const result = toTestResult(missing > 0 ? { ...one, note } : one)
    const attachments = [
      ...draw(one, result.uuid),
      ...trace(one, result.uuid),
      ...shown.flatMap((id) => attach(one, id)),
    ]
    write(`${result.uuid}-result.json`, JSON.stringify({ ...result, attachments }))
  }
}
