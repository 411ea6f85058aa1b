/**
 * The interpretations of the path of one address by servers and gateways. Two servers may
 * interpret a path differently: one decodes `%2F` and the other does not, one drops `;parameters`, one joins double slashes.
 */

/** A path as its segments, folded: servers may ignore case, blanks and dots at the end of a segment. */
export type Segments = readonly string[]

/** No real address is encoded more often. */
const MOST_DECODINGS = 5

/** A path that all servers interpret in the same way. */
const PLAIN = /^(\/[a-z0-9_~-]+)*\/?$/

/**
 * Every interpretation of the path of an address; undefined if it has too many levels of encoding.
 * @param pathname as the URL class gives it: dot segments that are written out are resolved.
 */
export const readingsOf = (pathname: string): readonly Segments[] | undefined => {
  const text = pathname.toLowerCase()
  if (PLAIN.test(text)) return [text.split('/').filter((segment) => segment !== '')]
  const decodings = decodingsOf(pathname)
  if (decodings === undefined) return undefined
  const readings = decodings
    .flatMap((decoded) => [decoded, withoutParameters(decoded)])
    .map((reading) => reading.normalize('NFKC').toLowerCase().split(/[/\\]/).map(folded))
    .flatMap((segments) => [withoutEmpty(resolved(segments)), withoutEmpty(resolved(withoutEmpty(segments)))])
  return [...new Map(readings.map((segments) => [segments.join('/'), segments])).values()]
}

const decodingsOf = (pathname: string): readonly string[] | undefined => {
  const decodings = [pathname]
  for (let text = decodeOnce(pathname); text !== decodings.at(-1); text = decodeOnce(text)) {
    if (decodings.length > MOST_DECODINGS) return undefined
    decodings.push(text)
  }
  return decodings
}

const ESCAPES = /(?:%[0-9a-f]{2})+/gi
/** Not in any standard; some servers read it. */
const UNICODE_ESCAPE = /%u([0-9a-f]{4})/gi
/** Longer forms than UTF-8 allows: a lenient decoder reads C0 AF as a slash. */
const OVERLONG = /%e0%([89][0-9a-f])%([89ab][0-9a-f])|%(c[01])%([89ab][0-9a-f])/gi

const decodeOnce = (text: string): string =>
  text
    .replaceAll(UNICODE_ESCAPE, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replaceAll(OVERLONG, decodedOverlong)
    // What is no UTF-8 becomes a character that no claim has, and the rest of the run stays readable.
    .replaceAll(ESCAPES, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))

const decodedOverlong = (
  _: string,
  high: string | undefined,
  low: string | undefined,
  first: string | undefined,
  second: string | undefined,
): string => {
  const [lead, last] = [high ?? first ?? '', low ?? second ?? ''].map((digits) => Number.parseInt(digits, 16))
  return String.fromCharCode((((lead ?? 0) & 0x1f) << 6) | ((last ?? 0) & 0x3f))
}

/** `/a;b=c/d` is `/a/d` to a server that knows parameters of segments. */
const withoutParameters = (path: string): string => path.replaceAll(/;[^/\\]*/g, '')

const IGNORED = /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200d\ufeff]/g

const folded = (segment: string): string => {
  const visible = segment.replaceAll(IGNORED, '')
  return visible === '.' || visible === '..' ? visible : visible.replace(/\.+$/, '')
}

const resolved = (segments: Segments): Segments => {
  const kept: string[] = []
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '.') kept.push(segment)
  }
  return kept
}

const withoutEmpty = (segments: Segments): Segments => segments.filter((segment) => segment !== '')

/**
 * A host name for comparison: in lower case, without the dot of the root. All names of this machine are equal.
 */
export const hostOf = ({ hostname }: URL): string => {
  const host = hostname.toLowerCase().replace(/\.+$/, '')
  return LOOPBACK.test(host) ? 'localhost' : host
}

const LOOPBACK =
  /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\])$/
