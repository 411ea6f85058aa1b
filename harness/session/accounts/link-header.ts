import type { HeaderFields } from '../../evidence/exchange.ts'

/** The header Link (RFC 8288): addresses in angle brackets, each followed by parameters. */

const LINK = /<([^>]*)>((?:\s*;\s*[^\s;=,"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g
const RELATION = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i

/** A link may have several relations, in upper or lower case (§3.3). */
const hasRelation = (parameters: string, relation: string): boolean => {
  const [, quoted, plain] = RELATION.exec(parameters) ?? []
  const relations = (quoted ?? plain ?? '').toLowerCase().split(/\s+/)
  return relations.includes(relation.toLowerCase())
}

/** The first link with that relation, as written in the header; undefined if there is none. */
export const linkIn = (headers: HeaderFields, relation: string): string | undefined =>
  headers
    .filter(([name]) => name.toLowerCase() === 'link')
    .flatMap(([, value]) => [...value.matchAll(LINK)])
    .find(([, , parameters = '']) => hasRelation(parameters, relation))?.[1]
