import { CookieJar } from 'tough-cookie'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Fields } from './request.ts'

/** The cookies of one browser (RFC 6265). The jar is created with the first cookie. */
export class Cookies {
  #jar: CookieJar | undefined

  /** The Cookie header for an address; empty if no cookie applies. */
  fieldFor(url: string): Fields {
    const cookies = this.#jar?.getCookieStringSync(url) ?? ''
    return cookies === '' ? [] : [['Cookie', cookies]]
  }

  /** Stores the cookies of an answer; invalid ones are ignored, as in a browser. */
  keep({ response }: Exchange, url: string): void {
    for (const [name, value] of response?.headers ?? [])
      if (name.toLowerCase() === 'set-cookie') this.#opened().setCookieSync(value, url, { ignoreError: true })
  }

  #opened(): CookieJar {
    return (this.#jar ??= new CookieJar(undefined, { rejectPublicSuffixes: false, looseMode: true }))
  }
}
