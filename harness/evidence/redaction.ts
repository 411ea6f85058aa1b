import { isJsonText } from './json.ts'
import { createKnownValues, type KnownValues } from './redaction/known-values.ts'
import { personalDataOf, type PersonalData, type PersonalDataSettings } from './redaction/personal-data.ts'
import {
  measure,
  pseudonymsIn,
  stringsIn,
  type FactsByPseudonym,
  type SecretFacts,
} from './redaction/secret-facts.ts'
import { isPublicName, isSecretAt } from './redaction/secret-names.ts'
import { replaceInAnySpelling, type Search } from './redaction/spellings.ts'
import {
  looksLikeJson,
  rewriteBody,
  rewriteHeader,
  rewriteJson,
  rewriteText,
  type Rewrite,
} from './redaction/structure.ts'
import { headerOf, type Body, type Exchange, type Handover, type HeaderFields } from './exchange.ts'

export type Redactor = ReturnType<typeof createRedactor>

/** A secret that is known before the first request: from the profile, or an imported token. */
export interface KnownSecret {
  readonly name: string
  readonly value: string
}

/** The known secrets and their pseudonyms. */
interface Memory {
  readonly values: KnownValues
  /** @param isCertain whether it is known to be a secret, and not only by the name of its place. */
  readonly learn: (name: string, value: string, isCertain: boolean) => string
  readonly pseudonymOf: (value: string) => string | undefined
  /** All pseudonyms that were given, with the facts of their values. Another value in brackets may be a secret. */
  readonly given: Map<string, SecretFacts>
  readonly branch: () => Memory
}

const createMemory = (
  given = new Map<string, SecretFacts>(),
  values: KnownValues = createKnownValues(given),
  pseudonyms = new Map<string, string>(),
  counts = new Map<string, number>(),
): Memory => {
  /** A secret may look like the next pseudonym. */
  const isTaken = (pseudonym: string, value: string): boolean =>
    pseudonym === value || given.has(pseudonym) || values.has(pseudonym)
  const pseudonymOf = (name: string, value: string): string => {
    const present = pseudonyms.get(value)
    if (present !== undefined) return present
    const words = name.replaceAll(/[^\w-]+/g, '-')
    // The name is the target's own: it may hold a secret too.
    const label = words === '' || values.find(words).length > 0 ? 'input' : words
    let count = (counts.get(label) ?? 0) + 1
    while (isTaken(`[${label}:${count}]`, value)) count += 1
    counts.set(label, count)
    const pseudonym = `[${label}:${count}]`
    pseudonyms.set(value, pseudonym)
    const contains = new Set<string>()
    replaceInAnySpelling(value, (text) => {
      const edits = values.find(text)
      for (const { replacement } of edits) contains.add(replacement)
      return edits
    })
    given.set(pseudonym, { ...measure(value), ...(contains.size > 0 && { contains: [...contains] }) })
    return pseudonym
  }

  return {
    values,
    given,
    learn(name, value, isCertain) {
      if (value.length === 0 || given.has(value)) return value
      const pseudonym = pseudonymOf(name, value)
      values.add(value, pseudonym, isCertain)
      return pseudonym
    },
    pseudonymOf: (value) => pseudonyms.get(value),
    branch() {
      const more = new Map(given)
      return createMemory(more, values.branch(more), new Map(pseudonyms), new Map(counts))
    },
  }
}

/** All scenarios of a run share the same known secrets. */
const memories = new WeakMap<readonly KnownSecret[], Memory>()

const memoryOf = (known: readonly KnownSecret[]): Memory => {
  const memory = memories.get(known) ?? createMemory()
  if (!memories.has(known)) for (const { name, value } of known) memory.learn(name, value, true)
  memories.set(known, memory)
  return memory.branch()
}

/** JSON in a string of JSON, and so on. */
const DEEPEST = 4

const ACCOUNT_OPERATIONS: ReadonlySet<string> = new Set(['listAccounts', 'readAccount', 'listTransactions'])

const isAccountData = ({ operation, response }: Exchange): boolean =>
  ACCOUNT_OPERATIONS.has(operation) && response !== undefined && response.status < 300

interface Policy extends Memory {
  readonly personalData: PersonalData | undefined
  /** The pseudonyms of personal data that was seen. */
  readonly seen: Map<string, string>
  /** Values that were sent in clear: no secret if a page repeats them. */
  readonly sent: Set<string>
  /** Finds known values in a text that is spelled plainly. */
  readonly find: Search
  /** Replaces known values in a text, in any spelling. */
  readonly text: (plain: string) => string
}

/** Replaces what is secret or personal by the name of its place. */
const rewriterFor = (policy: Policy, isAccountData: boolean): Rewrite => {
  const { given, learn, personalData, seen, sent, text, values } = policy
  const rewriteAt =
    (depth: number): Rewrite =>
    (name, value, place, around) => {
      if (value === '' || given.has(value)) return value
      const isMember = place === 'member' || place === 'number'
      const isSecret = isSecretAt(name, value, place) && !(place === 'hidden' && sent.has(value))
      if (isSecret) return learn(name, value, false)
      const kind = isMember ? personalData?.kindOfMember(name, around, isAccountData) : undefined
      // An address of the web, such as that of a next page, is none of a person.
      const isOfTheWeb = kind === 'address' && /^https?:\/\//i.test(value)
      if (personalData && kind !== undefined && !isOfTheWeb) {
        const pseudonym = personalData.pseudonymOf(kind, value)
        values.add(value, pseudonym, false)
        seen.set(value, pseudonym)
        return pseudonym
      }
      if (depth === 0) return value
      const rewriteWithin = looksLikeJson(value) ? rewriteJson : rewriteText
      const rewritten = rewriteWithin(value, rewriteAt(depth - 1))
      // JSON is searched value by value, so that it stays JSON.
      return isMember ? text(rewritten) : rewritten
    }
  const rewriteValue = rewriteAt(DEEPEST)
  return (name, value, place, around) => {
    const rewritten = rewriteValue(name, value, place, around)
    const facts = place === 'number' ? given.get(rewritten) : undefined
    if (facts !== undefined) given.set(rewritten, { ...facts, isNumber: true })
    return rewritten
  }
}

const tokensOf = (value: string): readonly string[] => [value, ...value.split(/[\s:]+/)]

/** What the address of an authorization holds in clear. */
const sentIn = (url: string): readonly string[] => {
  if (!url.includes('?') || !URL.canParse(url)) return []
  const { searchParams } = new URL(url)
  return [...searchParams].flatMap(([name, value]) => (isPublicName(name) ? tokensOf(value) : []))
}

/** Replaces what is secret in an exchange, wherever it stands. */
const redactExchange = (exchange: Exchange, policy: Policy): Exchange => {
  const { find, text } = policy
  const { sender, request, response, handover, fault } = exchange
  for (const value of sentIn(request.url)) policy.sent.add(value)
  const ofRequest = rewriterFor(policy, false)
  const ofResponse = rewriterFor(policy, isAccountData(exchange))

  const body = ({ text: original, ...size }: Body, fields: HeaderFields, rewrite: Rewrite): Body => {
    const rewritten = rewriteBody(original, headerOf(fields, 'content-type') ?? '', rewrite)
    const isSearched = looksLikeJson(original) && isJsonText(original) && find(rewritten).length === 0
    return { text: isSearched ? rewritten : text(rewritten), ...size }
  }
  const headers = (fields: HeaderFields, rewrite: Rewrite): HeaderFields =>
    fields.map(([name, value]) => [name, text(rewriteHeader(name, value, rewrite))] as const)
  /** The Authorization header of a webhook call is set by the owner of the application, and may lack a scheme. */
  const called = (fields: HeaderFields): HeaderFields =>
    fields.map(([name, value]) =>
      name.toLowerCase() === 'authorization'
        ? [name, policy.learn('security_header', value, false)]
        : [name, value],
    )
  const address = (url: string, rewrite: Rewrite): string => text(rewriteText(url, rewrite))
  const handedOver = ({ by, address: at, code }: Handover): Handover => ({
    by,
    ...(at !== undefined && { address: address(at, ofResponse) }),
    ...(code !== undefined && { code: policy.learn('code', code, false) }),
  })

  return {
    ...exchange,
    request: {
      method: request.method,
      url: address(request.url, ofRequest),
      headers: headers(sender === 'target' ? called(request.headers) : request.headers, ofRequest),
      ...(request.body && { body: body(request.body, request.headers, ofRequest) }),
    },
    ...(response && {
      response: {
        status: response.status,
        headers: headers(response.headers, ofResponse),
        body: body(response.body, response.headers, ofResponse),
      },
    }),
    ...(fault && { fault: { ...fault, message: text(fault.message) } }),
    ...(handover && { handover: handedOver(handover) }),
  }
}

const factsIn = (
  { given, seen, values }: Policy,
  texts: readonly string[],
  exchanges: readonly Exchange[],
): FactsByPseudonym => {
  const facts = new Map<string, SecretFacts>()
  for (const text of texts)
    for (const one of pseudonymsIn(text)) {
      const found = given.get(one)
      if (found !== undefined) facts.set(one, found)
    }
  const inClear = new Map([...seen].filter(([value]) => !values.has(value)))
  if (inClear.size === 0) return facts
  for (const { id, response } of exchanges)
    for (const value of new Set(stringsIn(response?.body.text ?? ''))) {
      const pseudonym = inClear.get(value) ?? ''
      const found = facts.get(pseudonym)
      if (found !== undefined) facts.set(pseudonym, { ...found, standsIn: [...(found.standsIn ?? []), id] })
    }
  return facts
}

/**
 * Removes secrets, and the personal data of customers, from everything that is written. A secret becomes a pseudonym,
 * `[access_token:2]`, the same wherever it occurs in a scenario: a reader still sees that the code of the redirect is
 * the code of the token request. Nothing else is changed.
 * @param known must not be changed afterwards.
 * @param settings what becomes of personal data; it is kept, if they are left out.
 */
export const createRedactor = (known: readonly KnownSecret[], settings?: PersonalDataSettings) => {
  const memory = memoryOf(known)
  const { learn, values } = memory
  const personalData = personalDataOf(settings, memory.given)
  for (const name of personalData?.names ?? [])
    values.add(name, personalData?.pseudonymOf('name', name) ?? '', false)
  const find: Search =
    personalData === undefined ? values.find : (plain) => [...values.find(plain), ...personalData.find(plain)]
  const text = (plain: string): string => replaceInAnySpelling(plain, find)
  const policy: Policy = { ...memory, personalData, seen: new Map(), sent: new Set(), find, text }

  return {
    /** Adds a secret value; from then on it is replaced wherever it occurs, in any spelling. */
    learn: (name: string, value: string) => void learn(name, value, true),
    /** Adds the value of a hidden input or a password input, if it is secret. */
    learnInput: (type: 'hidden' | 'password', name: string, value: string) => {
      if (isSecretAt(name, value, type) && !policy.sent.has(value)) learn(name, value, false)
    },
    /** A text of somebody else, such as a page. */
    text,
    /** A value by itself: it is also replaced if it is so short that it would not be found in a text. */
    value: (value: string) => memory.pseudonymOf(value) ?? policy.seen.get(value) ?? text(value),
    /** A sentence of this program: only values that cannot be its own words are replaced. */
    sentence: (plain: string) =>
      replaceInAnySpelling(plain, (one) => [
        ...values.findUnmistakable(one),
        ...(personalData?.find(one) ?? []),
      ]),
    exchange: (exchange: Exchange) => redactExchange(exchange, policy),
    /** What is known of the secrets whose pseudonyms stand in a text, or in exchanges without secrets. */
    factsIn: (plain: string, exchanges: readonly Exchange[]) =>
      factsIn(policy, [plain, ...exchanges.map((one) => JSON.stringify(one))], exchanges),
  }
}
