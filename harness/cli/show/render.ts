import {
  renderFault,
  renderHandover,
  type Body,
  type Exchange,
  type HeaderFields,
} from '../../evidence/exchange.ts'
import { OUTPUT } from '../../evidence/output.ts'
import { printable } from '../../report/run-observer.ts'
import { renderExchange, renderFailure, type EvidenceLookup } from '../../report/terminal/failure.ts'
import { curlCommand, variablesIn } from './curl.ts'
import type { Report } from '../../report/schema.ts'
import type { Colors } from '../../report/terminal/text.ts'

const LONGEST_BODY = 4_000

const renderJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const renderBody = ({ text, bytes }: Body): readonly string[] => {
  if (text === '') return []
  const whole = renderJson(text)
  const shown =
    whole.length <= LONGEST_BODY
      ? whole
      : `${whole.slice(0, LONGEST_BODY)}\n… (${bytes} bytes; all of it is in the evidence)`
  return ['', ...printable(shown).split('\n')]
}

const renderHeaders = (headers: HeaderFields): readonly string[] =>
  headers.map(([name, value]) => printable(`${name}: ${value}`))

const indented = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => (line === '' ? '' : `    ${line}`))

const renderRequest = ({ request }: Exchange): readonly string[] => [
  printable(`${request.method} ${request.url}`),
  ...renderHeaders(request.headers),
  ...(request.body === undefined ? [] : renderBody(request.body)),
]

const renderAnswer = ({ response, fault, handover }: Exchange): readonly string[] => [
  ...(response === undefined
    ? []
    : [String(response.status), ...renderHeaders(response.headers), ...renderBody(response.body)]),
  ...(fault === undefined ? [] : [`no complete answer: ${printable(renderFault(fault))}`]),
  ...(handover === undefined ? [] : [renderHandover(handover)]),
]

const renderCurl = (exchange: Exchange, { dim }: Colors): readonly string[] => {
  const command = curlCommand(exchange)
  if (command === undefined) return []
  const variables = [...variablesIn(exchange)].map(([name, pseudonym]) =>
    dim(`# ${name}: ${pseudonym} of the evidence`),
  )
  return ['', ...variables, ...printable(command).split('\n')]
}

export const renderWhole = (exchange: Exchange, colors: Colors): string => {
  const { id, operation, sender, sentAt, durationMs } = exchange
  return [
    `${colors.bold(id)}  ${colors.dim(`${operation}, sent by ${sender}, ${sentAt}, ${Math.round(durationMs)} ms`)}`,
    ...indented(renderRequest(exchange)),
    '',
    ...indented(renderAnswer(exchange)),
    ...indented(renderCurl(exchange, colors)),
  ].join('\n')
}

/** `  payments/rejection/3   GET /payments/… → 200` */
export const renderShort = (exchange: Exchange): string => `  ${exchange.id}   ${renderExchange(exchange)}`

/** How many exchanges of a requirement without a failure are listed. */
const MOST_LISTED = 10

/** The failures of a requirement, each with the exchange that shows it; without a failure, the first exchange. */
export const renderRequirement = (
  requirement: Report['requirements'][number],
  evidence: EvidenceLookup,
  out: string,
  colors: Colors,
): string => {
  const broken = requirement.checks.filter(({ violation }) => violation !== undefined)
  if (broken.length === 0) {
    const ids = [...new Set(requirement.checks.flatMap(({ exchanges }) => exchanges))]
    const [first, ...others] = ids.flatMap((id) => evidence(id) ?? [])
    const more = others.length - MOST_LISTED
    return [
      printable(`${requirement.id}  ${requirement.claim}: ${requirement.verdict}`),
      ...(requirement.because ? [printable(`  ${requirement.because}`)] : []),
      ...others.slice(0, MOST_LISTED).map((one) => printable(renderShort(one))),
      ...(more > 0 ? [`  … and ${more} more, in ${OUTPUT.report}`] : []),
      ...(first === undefined ? [] : ['', renderWhole(first, colors)]),
    ].join('\n')
  }
  return broken
    .map((check) => {
      const exchange = evidence(check.violation?.exchange ?? '')
      const block = renderFailure(requirement, check, evidence, out, { colors })
      return exchange === undefined ? block : `${block}\n\n${renderWhole(exchange, colors)}`
    })
    .join('\n\n')
}
