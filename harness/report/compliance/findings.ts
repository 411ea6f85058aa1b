import { ALL_CHAPTERS } from '../../check/requirement.ts'
import { headerOf, type Body, type Exchange } from '../../evidence/exchange.ts'
import { withVerdict } from '../rows.ts'
import { renderSequence } from '../drawing/sequence.ts'
import type { EvidenceLookup } from '../terminal/failure.ts'
import { SEVERITIES, type Consequence, type Severity } from '../../check/consequence.ts'
import type { CheckReport, Report, RequirementReport } from '../schema.ts'

/** The findings of a run: every requirement on which a violation was observed, the most severe first. */

export const SEVERITY_MEANINGS = {
  critical:
    'Somebody may gain access to the data or the money of others, or money may be moved without the customer’s will.',
  major: 'A customer or a client application that relies on the interface gets a wrong result, or none.',
  minor: 'A recommended requirement (SHOULD) is broken; the interface can be used without it.',
} as const satisfies Record<Severity, string>

/** Finds the consequence of a violation, if something is always true of the requirement. */
export type ConsequenceLookup = (requirement: string) => Consequence | undefined

export interface Violated {
  readonly check: CheckReport
  readonly violation: NonNullable<CheckReport['violation']>
}

const MOST_STEPS = 6

/** The exchanges of the scenario up to that of the violation. */
const sequenceOf = ({ violation }: Violated, evidence: EvidenceLookup): string | undefined => {
  const [, start = '', last = ''] = /^(.*\/\w?)(\d+)$/.exec(violation.exchange) ?? []
  const numbers = Array.from({ length: MOST_STEPS }, (_, at) => Number(last) - MOST_STEPS + 1 + at)
  const exchanges = numbers.flatMap((number) => evidence(`${start}${number}`) ?? [])
  const { subject, expected, received } = violation
  return exchanges.length === 0
    ? undefined
    : renderSequence(exchanges, `${subject}: expected ${expected}; received ${received}`)
}

/** The same violation as another kind of application, or in another of many scenarios, is reported once. */
const violatedOf = ({ checks }: RequirementReport): readonly Violated[] => {
  const all = checks.flatMap((check) =>
    check.violation === undefined ? [] : [{ check, violation: check.violation }],
  )
  const keyOf = ({ check, violation: { subject, expected, received } }: Violated): string =>
    JSON.stringify([check.file, subject, expected, received])
  return [...new Map(all.toReversed().map((one) => [keyOf(one), one])).values()].toReversed()
}

const severityOf = ({ level }: RequirementReport, consequence: Consequence | undefined): Severity =>
  level === 'MUST' ? (consequence?.severity ?? 'major') : 'minor'

/** Headers that explain an exchange; the evidence contains all of them. */
const SHOWN_HEADERS = ['authorization', 'content-type', 'location', 'www-authenticate', 'x-request-id']
const LONGEST_BODY = 900

const bodyText = (body: Body | undefined): readonly string[] => {
  if (body === undefined || body.text === '') return []
  const rest = body.text.length - LONGEST_BODY
  return ['', rest <= 0 ? body.text : `${body.text.slice(0, LONGEST_BODY)}… (${rest} further characters)`]
}

const headerLines = (headers: Exchange['request']['headers']): readonly string[] =>
  SHOWN_HEADERS.flatMap((name) => {
    const value = headerOf(headers, name)
    return value === undefined ? [] : [`${name}: ${value}`]
  })

const responseText = ({ response, fault }: Exchange): string =>
  response === undefined
    ? `no response: ${fault?.message ?? 'the reason is not recorded'}`
    : [`status ${response.status}`, ...headerLines(response.headers), ...bodyText(response.body)].join('\n')

export const excerptOf = (exchange: Exchange) => {
  const { id, request, sentAt } = exchange
  return {
    id,
    sentAt,
    request: [
      `${request.method} ${request.url}`,
      ...headerLines(request.headers),
      ...bodyText(request.body),
    ].join('\n'),
    response: responseText(exchange),
  }
}

export type Excerpt = ReturnType<typeof excerptOf>

/** The requirements with these verdicts. @param letter of their numbers. */
export const findingsOf = (
  { requirements }: Pick<Report, 'requirements'>,
  verdicts: readonly RequirementReport['verdict'][],
  letter: 'F' | 'E',
  consequenceOf: ConsequenceLookup,
  evidence: EvidenceLookup,
) =>
  withVerdict(requirements, ...verdicts)
    .map((requirement) => {
      const violated = violatedOf(requirement)
      const [first] = violated
      const consequence = consequenceOf(requirement.id)
      const exchange = first && evidence(first.violation.exchange)
      return {
        requirement,
        severity: severityOf(requirement, consequence),
        consequence,
        violated,
        excerpt: exchange && excerptOf(exchange),
        /** How it came to the violation, as SVG. */
        sequence: exchange && sequenceOf(first, evidence),
      }
    })
    .sort(
      (one, other) =>
        SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
        ALL_CHAPTERS.indexOf(one.requirement.chapter) - ALL_CHAPTERS.indexOf(other.requirement.chapter),
    )
    .map((finding, at) => ({ number: `${letter}-${String(at + 1).padStart(2, '0')}`, ...finding }))

export type Finding = ReturnType<typeof findingsOf>[number]
