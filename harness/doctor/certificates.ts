import { find } from './finding.ts'
import type { Profile } from '../profile/schema.ts'
import type { Code, Finding } from './finding.ts'
import type { Certificate, Handshake } from './handshake.ts'
import type { Findings } from './patient.ts'

/** What a handshake shows of the target's certificate. */

interface Circumstances {
  readonly host: string
  readonly connection: Profile['connection']
  readonly now: Date
}

/** Time enough to have a certificate renewed. */
export const SOON_MS = 21 * 24 * 60 * 60 * 1000

const DOUBTS: readonly (readonly [RegExp, Code])[] = [
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'NET-TLS-2'],
  [/^SELF_SIGNED_CERT_IN_CHAIN$/, 'NET-TLS-4'],
  [/^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/, 'NET-TLS-5'],
  [/ALTNAME/, 'NET-TLS-7'],
]

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

const rendered = ({ subject, issuer, validTo }: Certificate): string =>
  `${subject}, issued by ${issuer}, until ${dayOf(validTo)}`

export const judgeCertificate = (handshake: Handshake, circumstances: Circumstances): Findings => {
  const { connection } = circumstances
  const bad = [...doubts(handshake, circumstances), ...otherName(handshake, circumstances)]
  // What nobody verifies stops no run; whoever reads the findings still wants to know what is wrong.
  if (!connection.verify) {
    const cause = '`connection.verify` is false: any certificate is accepted, the wrong one too.'
    return [find('NET-TLS-11', { cause }), ...bad.map((each): Finding => ({ ...each, level: 'notice' }))]
  }
  const late = expiresSoon(handshake, circumstances)
  return bad.length > 0 ? bad : [...late, sound(handshake, connection)]
}

const sound = ({ protocol, cipher, chain }: Handshake, { ca }: Profile['connection']): Finding => {
  const root = chain.at(-1)
  const trusted = ca === undefined ? '' : `, trusted beside the authorities of Node: those in ${ca}`
  const cause = `${protocol}, ${cipher}; the chain ends at ${root?.issuer ?? 'nobody'}${trusted}.`
  return find('NET-TLS-1', { cause, shows: chain.map(rendered) })
}

const doubts = ({ doubt, chain }: Handshake, { host, now }: Circumstances): Findings => {
  if (doubt === undefined || /ALTNAME/.test(doubt)) return []
  const code = DOUBTS.find(([pattern]) => pattern.test(doubt))?.[1] ?? 'NET-TLS-3'
  return [
    find(code, { cause: `${host}: ${causeOf(code, chain, now)} (${doubt}).`, shows: chain.map(rendered) }),
  ]
}

const causeOf = (code: Code, chain: readonly Certificate[], now: Date): string => {
  const [leaf] = chain
  const last = chain.at(-1)
  switch (code) {
    case 'NET-TLS-2':
      return `${leaf?.subject ?? 'the certificate'} vouches for itself`
    case 'NET-TLS-4':
      return `the authority ${last?.subject ?? 'at its end'} is not known here`
    case 'NET-TLS-5':
      return untimely(chain, now)
    default:
      return `${chain.length === 1 ? 'one certificate is' : `${chain.length} certificates are`} sent, and who issued ${last?.subject ?? 'it'} is not known here: ${last?.issuer ?? 'nobody'}`
  }
}

const untimely = (chain: readonly Certificate[], now: Date): string => {
  const wrong = chain.find(({ validFrom, validTo }) => now < validFrom || now > validTo)
  if (wrong === undefined) return 'a certificate of the chain is out of date'
  return now > wrong.validTo
    ? `${wrong.subject} was valid until ${dayOf(wrong.validTo)}`
    : `${wrong.subject} is valid from ${dayOf(wrong.validFrom)}`
}

const otherName = ({ otherName: names }: Handshake, { host }: Circumstances): Findings =>
  names === undefined ? [] : [find('NET-TLS-7', { cause: `${host} is asked for, and it holds ${names}.` })]

const expiresSoon = ({ chain }: Handshake, { now }: Circumstances): Findings => {
  const soon = chain.filter(({ validTo }) => validTo.getTime() - now.getTime() < SOON_MS)
  return soon.length === 0
    ? []
    : [find('NET-TLS-6', { cause: soon.map(rendered).join('; ') + '.', shows: chain.map(rendered) })]
}
