import { CookieJar } from 'tough-cookie'
import type { Exchange } from '../evidence/exchange.ts'
import type { Fields } from './request.ts'

/** The cookies of one browser (RFC 6265). Many a walk ends before the bank has set one: until then there is no jar. */
export class Cookies {
  #jar: CookieJar | undefined

  /** The field that goes with a request; none, where no cookie is meant for its address. */
  fieldFor(url: string): Fields {
    const cookies = this.#jar?.getCookieStringSync(url) ?? ''
    return cookies === '' ? [] : [['Cookie', cookies]]
  }

  /** Keeps what an answer sets. What a browser would not take is not taken. */
  keep({ response }: Exchange, url: string): void {
    for (const [name, value] of response?.headers ?? [])
      if (name.toLowerCase() === 'set-cookie') this.#opened().setCookieSync(value, url, { ignoreError: true })
  }

  #opened(): CookieJar {
    return (this.#jar ??= new CookieJar(undefined, { rejectPublicSuffixes: false, looseMode: true }))
  }
}
