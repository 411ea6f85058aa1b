import { settleHttpUrl } from './base-url.ts'
import { CLOCK_ARGUMENTS } from './clock-arguments.ts'
import { placeholdersOf, unknownPlaceholders } from './placeholders.ts'
import type { CrossChecks } from './cross-checks.ts'
import type { LeverRequest, Profile } from './schema.ts'

/** What each lever is told, and so what its request has to pass on; of the units of a clock, one is enough. */
export const LEVER_ARGUMENTS: Readonly<Record<keyof Profile['levers'], readonly string[]>> = {
  readClock: [],
  advanceClock: CLOCK_ARGUMENTS,
  revokeToken: ['token'],
  revokeConsent: ['consentId'],
  bookTransaction: ['iban', 'amount'],
  configureWebhook: ['clientId', 'enabled', 'url', 'securityHeader'],
  readWebhook: ['clientId'],
}

export const leverChecks = (profile: Profile): CrossChecks => {
  const bound = Object.entries(LEVER_ARGUMENTS).flatMap(([name, known]) => {
    const lever = profile.levers[name as keyof Profile['levers']]
    return lever === undefined ? [] : [{ key: `levers.${name}`, lever, known }]
  })
  return {
    problems: bound.flatMap(({ key, lever, known }) => [
      ...placeholders(key, lever, known),
      ...address(`${key}.url`, lever.url),
      ...body(key, lever),
    ]),
    warnings: [
      ...bound.flatMap(({ key, lever }) => elsewhere(`${key}.url`, lever.url, profile)),
      ...clock(profile),
    ],
  }
}

const placeholders = (key: string, lever: LeverRequest, known: readonly string[]): readonly string[] => {
  const { url, headers, body } = lever
  const used = placeholdersOf({ url, headers, body }).map(({ name }) => name)
  // One that is misspelt has been complained of.
  const isMoved = known !== CLOCK_ARGUMENTS || used.length > 0
  return [
    ...unknownPlaceholders(key, { url, headers, body }, known),
    ...(isMoved
      ? []
      : [
          `\`${key}\` says nowhere how far the clock is moved; put one of ${known.map((name) => `{${name}}`).join(', ')} into its url, a header or the body`,
        ]),
    ...(known === CLOCK_ARGUMENTS ? [] : known)
      .filter((name) => !used.includes(name))
      .map((name) => `\`${key}\` passes {${name}} on nowhere; put it into its url, a header or the body`),
  ]
}

const isAbsolute = (url: string): boolean => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(url)

const address = (key: string, url: string): readonly string[] => {
  if (!isAbsolute(url)) return []
  // A lever may well have a query; the rest is as with any address.
  const settled = settleHttpUrl(url.replace(/\?[^#]*/, ''), 'https://levers.bank.example/clock')
  return 'problem' in settled ? [`\`${key}\`: ${settled.problem}`] : []
}

const body = (key: string, lever: LeverRequest): readonly string[] => {
  try {
    JSON.stringify(lever.body)
    return []
  } catch {
    return [
      `\`${key}.body\` cannot be written as JSON; use texts, numbers, true, false, null, lists and objects`,
    ]
  }
}

const clock = ({ levers: { readClock, advanceClock } }: Profile): readonly string[] =>
  advanceClock !== undefined && readClock === undefined
    ? [
        '`levers.advanceClock` stands without `levers.readClock`: the target is taken to have the time of this machine',
      ]
    : []

/** Requests go to the target alone; a lever at another origin would be held back. */
const elsewhere = (key: string, url: string, { baseUrl, origins }: Profile): readonly string[] => {
  if (!isAbsolute(url) || !URL.canParse(url)) return []
  const { origin } = new URL(url)
  const known = [...origins, ...(baseUrl === undefined ? [] : [baseUrl])].map((each) => new URL(each).origin)
  return known.includes(origin)
    ? []
    : [
        `\`${key}\` stands at ${origin}, which is not the target's; add it to \`origins\`, or the lever is never pulled`,
      ]
}
