import { join } from 'node:path'
import { OUTPUT } from '../../evidence/output.ts'
import { groupBy } from '../../plan/lists.ts'
import { digestFolder } from '../certificate/manifest.ts'
import { exchangeIn, linesOf, readEvidence, sha256Of } from '../evidence-file.ts'
import { compareExchanges, compareNumbered } from '../order.ts'
import { renderExchange } from '../terminal/failure.ts'
import type { Exchange } from '../../evidence/exchange.ts'

/** The index of the evidence: files with their digests, and the exchanges of each scenario. */

/** Written after this report, or about this report: their digests cannot be in it. */
const LATER: readonly string[] = [OUTPUT.marker, OUTPUT.compliance, OUTPUT.compliancePdf]

/** The files in the folder of a run, without those in its folders. */
export const indexFiles = (outDir: string) =>
  digestFolder(outDir).filter(({ path }) => !path.includes('/') && !LATER.includes(path))

/** `consent/a-consent-request@TPP/3` is exchange 3 of the scenario `consent/a-consent-request@TPP`. */
const placeOf = (id: string) => {
  const at = id.lastIndexOf('/')
  return { scenario: id.slice(0, at), number: id.slice(at + 1) }
}

const textOf = (exchange: Exchange): string =>
  `${exchange.sender === 'target' ? 'received ' : ''}${renderExchange(exchange)}`

export const indexEvidence = (outDir: string) => {
  const found = [...linesOf(readEvidence(join(outDir, OUTPUT.evidence)))].flatMap((line) => {
    const exchange = exchangeIn(line)
    return exchange === undefined ? [] : [{ line, exchange, ...placeOf(exchange.id) }]
  })
  return [...groupBy(found, ({ scenario }) => scenario)]
    .sort(([one], [other]) => compareExchanges(one, other))
    .map(([scenario, own], at) => {
      const times = own.map(({ exchange }) => exchange.sentAt).sort()
      return {
        scenario,
        /** A short name for links. */
        anchor: `e${at + 1}`,
        from: times[0] ?? '',
        to: times.at(-1) ?? '',
        /** Of its lines in evidence.jsonl, in their order, each with its line end. */
        sha256: sha256Of(Buffer.concat(own.flatMap(({ line }) => [line, Buffer.from('\n')]))),
        exchanges: own
          .map(({ exchange, number }) => ({ number, text: textOf(exchange) }))
          .sort((one, other) => compareNumbered(one.number, other.number)),
      }
    })
}

export type IndexedScenario = ReturnType<typeof indexEvidence>[number]

/** The place of an exchange in the index: `e12.3`. Undefined if the evidence does not have it. */
export const exchangeAnchor = (index: readonly IndexedScenario[], id: string): string | undefined => {
  const { scenario, number } = placeOf(id)
  const found = index.find((one) => one.scenario === scenario)
  return found?.exchanges.some((one) => one.number === number) === true
    ? `${found.anchor}.${number}`
    : undefined
}

const rangesIn = (numbers: readonly string[]): string => {
  const ranges: { from: string; to: string }[] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && Number(last.to) + 1 === Number(number)) last.to = number
    else ranges.push({ from: number, to: number })
  }
  return ranges.map(({ from, to }) => (from === to ? from : `${from}–${to}`)).join(', ')
}

/** The exchanges of each scenario, with ranges in place of long lists: `1–3, 7`. */
export const rangesOf = (ids: readonly string[]) =>
  [...groupBy(ids.map(placeOf), ({ scenario }) => scenario)].map(([scenario, places]) => {
    const sorted = places.map(({ number }) => number).sort(compareNumbered)
    return { scenario, numbers: rangesIn(sorted), first: sorted[0] ?? '' }
  })

export type ExchangeRange = ReturnType<typeof rangesOf>[number]
