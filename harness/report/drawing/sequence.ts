import { onOneLine } from '../run-observer.ts'
import { answerOf, shortPath } from '../terminal/failure.ts'
import { MARGIN, renderSheet, text, WIDTH } from './sheet.ts'
import type { Exchange } from '../../evidence/exchange.ts'

/** Who asked whom before a violation, and where it went wrong, as a drawing. */

const LANES = { application: 130, customer: 400, bank: 760 } as const
const NAMES = { application: 'client application', customer: 'customer’s browser', bank: 'bank' } as const
const HEAD = 92
const STEP = 52
const LONGEST = 110

type Lane = keyof typeof LANES

const lanesOf = ({ sender }: Exchange): readonly [from: Lane, to: Lane] => {
  if (sender === 'target') return ['bank', 'application']
  return [sender === 'customer' ? 'customer' : 'application', 'bank']
}

const arrow = (from: number, to: number, y: number, words: string, isBroken: boolean): string => {
  const color = isBroken ? 'bad' : 'ink'
  const tip = to - Math.sign(to - from) * 9
  const [mark, style] = isBroken ? ['✗ ', 'middle bad'] : ['', 'middle']
  const label = text((from + to) / 2, y - 5, `${mark}${words}`, style)
  return `<path d="M${from} ${y}H${tip}" stroke="var(--${color})"/><path d="M${to} ${y}L${tip} ${y - 4}V${y + 4}z" fill="var(--${color})"/>${label}`
}

const step = (exchange: Exchange, at: number, isBroken: boolean): string => {
  const [from, to] = lanesOf(exchange).map((lane) => LANES[lane]) as [number, number]
  const y = HEAD + 22 + at * STEP
  const { id, request, sender } = exchange
  const isCall = sender === 'target'
  const sent = `${id.slice(id.lastIndexOf('/') + 1)}  ${request.method} ${shortPath(request.url)}`
  return [
    arrow(from, to, y, sent, isBroken && isCall),
    arrow(to, from, y + 22, answerOf(exchange), isBroken && !isCall),
  ].join('')
}

/**
 * @param exchanges the last of them shows the violation.
 * @param wrong what was expected and received.
 */
export const renderSequence = (exchanges: readonly Exchange[], wrong: string): string => {
  const bottom = HEAD + exchanges.length * STEP
  const used = new Set(exchanges.flatMap(lanesOf))
  const line = onOneLine(wrong)
  const shown = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
  return renderSheet(
    {
      height: bottom + 44,
      title: 'Who asked whom, and where it went wrong',
      summary: exchanges.at(-1)?.id ?? '',
      light: '--bad:#a61b34',
      dark: '--bad:#ff8095',
    },
    [
      ...(Object.keys(LANES) as Lane[])
        .filter((lane) => used.has(lane))
        .map(
          (lane) =>
            `${text(LANES[lane], HEAD - 16, NAMES[lane], 'middle')}<path d="M${LANES[lane]} ${HEAD - 8}V${bottom}" stroke="var(--rule)"/>`,
        ),
      ...exchanges.map((exchange, at) => step(exchange, at, at === exchanges.length - 1)),
      text(WIDTH - MARGIN, bottom + 26, `✗ ${shown}`, 'end bad'),
    ],
  )
}
