import type { Exchange, HeaderFields } from '../../evidence/exchange.ts'

/** An exchange as a curl command. Secrets are variables of the shell: the evidence does not contain them. */

const PSEUDONYM = /\[([\w-]+):([\da-f]+)\]/g

/** In addresses and forms a pseudonym is percent-encoded. */
const decoded = (text: string): string =>
  text.replaceAll(/%5B([\w-]+)%3A([\da-f]+)%5D/gi, (_, name: string, number: string) => `[${name}:${number}]`)

const variableOf = (name: string, number: string): string =>
  `${name.toUpperCase().replaceAll('-', '_')}_${number.toUpperCase()}`

const quotedText = (text: string): string =>
  text === '' ? '' : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Quotes text for a POSIX shell; pseudonyms become variables: `'code='"$CODE_1"`. */
export const quoteForShell = (text: string): string => {
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(PSEUDONYM)) {
    const [whole, name = '', number = ''] = match
    parts.push(quotedText(text.slice(from, match.index)), `"$${variableOf(name, number)}"`)
    from = match.index + whole.length
  }
  parts.push(quotedText(text.slice(from)))
  return parts.join('') || "''"
}

/** curl sets them itself. */
const OWN: ReadonlySet<string> = new Set(['host', 'connection', 'content-length', 'accept-encoding'])

/** The evidence has the pair of a Basic header without its base64. */
const headerOption = (name: string, value: string): string => {
  const [, pair] = /^Basic (.*:.*)$/is.exec(value) ?? []
  return name.toLowerCase() === 'authorization' && pair !== undefined
    ? `-u ${quoteForShell(pair)}`
    : `-H ${quoteForShell(`${name}: ${value}`)}`
}

const isForm = (headers: HeaderFields): boolean =>
  headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' && value.toLowerCase().includes('form-urlencoded'),
  )

const bodyOptions = ({ headers, body }: Exchange['request']): readonly string[] => {
  if (body === undefined || body.text === '') return []
  if (!isForm(headers)) return [`--data-raw ${quoteForShell(body.text)}`]
  return [...new URLSearchParams(body.text)].map(
    ([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${value}`)}`,
  )
}

/** Undefined for a call of the target, and for a request that a person sent. */
export const curlCommand = ({ sender, request, handover }: Exchange): string | undefined => {
  if (sender === 'target' || handover !== undefined) return undefined
  const { method, url, headers } = request
  const options = [
    `-X ${method} ${quoteForShell(decoded(url))}`,
    ...headers
      .filter(([name]) => !OWN.has(name.toLowerCase()))
      .map(([name, value]) => headerOption(name, value)),
    ...bodyOptions(request),
  ]
  return `curl -i ${options.join(' \\\n  ')}`
}

export const variablesIn = (exchange: Exchange): ReadonlyMap<string, string> => {
  const { url, headers, body } = exchange.request
  const text = decoded([url, ...headers.map(([, value]) => value), body?.text ?? ''].join('\n'))
  return new Map(
    [...text.matchAll(PSEUDONYM)].map(([whole, name = '', number = '']) => [variableOf(name, number), whole]),
  )
}
