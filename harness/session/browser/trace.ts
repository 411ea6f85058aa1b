import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Exchange } from '../../evidence/exchange.ts'
import type { Redactor } from '../../evidence/redaction.ts'

/**
 * What the browser did and showed in an authorization that led nowhere: its steps, the page at its end, and a picture
 * of that page. Every part is written without secrets; a trace of playwright would hold them in its snapshots.
 */
export interface Trace {
  note(step: TraceStep): void
  /** Writes it into a folder that is named after the exchange at which it ended. Never throws. */
  keep(page: Page, end: Exchange | undefined): Promise<void>
}

export interface TraceStep {
  readonly what: 'request' | 'not sent' | 'fills' | 'ticks' | 'presses'
  readonly method?: string
  readonly url?: string
  readonly status?: number | undefined
  readonly selector?: string
}

/** How long the last look at the page may take, in ms: a trace is no reason to wait. */
const LOOK_MS = 10_000

/** In a folder's name an id of an exchange has neither slashes nor other signs. */
const folderOf = (id: string): string => id.replaceAll(/[^\w.-]+/g, '-')

/** @param folder where traces are kept; undefined keeps none. */
export const createTrace = (folder: string | undefined, redactor: Redactor): Trace => {
  const startedAt = performance.now()
  const steps: (TraceStep & { readonly atMs: number })[] = []

  const write = async (into: string, page: Page, end: Exchange | undefined): Promise<void> => {
    mkdirSync(into, { recursive: true })
    const html = await page.content()
    // First the page: what is told by its name alone is known from then on.
    writeFileSync(join(into, 'page.html.txt'), redactedPage(redactor, page.url(), html, end))
    const lines = steps.map((step) => `${redactor.text(JSON.stringify(step))}\n`)
    writeFileSync(join(into, 'steps.jsonl'), lines.join(''))
    const picture = await pictureOf(page, redactor)
    if (picture !== undefined) writeFileSync(join(into, 'page.png'), picture)
  }

  return {
    note: (step) => void steps.push({ atMs: Math.round(performance.now() - startedAt), ...step }),
    async keep(page, end) {
      if (folder === undefined) return
      // The page may be gone with the browser, and the disk be full: the authorization came to what it came to.
      const written = write(join(folder, folderOf(end?.id ?? 'no-request')), page, end).catch(() => undefined)
      await Promise.race([written, sleep(LOOK_MS, undefined, { ref: false })])
    },
  }
}

/** The page is redacted as the evidence is: as an answer that is HTML. */
const redactedPage = (redactor: Redactor, url: string, html: string, end: Exchange | undefined): string => {
  if (end === undefined) return redactor.text(html)
  const shown = redactor.exchange({
    ...end,
    request: { method: 'GET', url, headers: [] },
    response: {
      status: end.response?.status ?? 0,
      headers: [['content-type', 'text/html']],
      body: { text: html, bytes: Buffer.byteLength(html) },
    },
  })
  return `<!-- ${shown.request.url} -->\n${shown.response?.body.text ?? ''}`
}

/** Whatever can hold a secret that is no text: it is blacked out unread. */
const OPAQUE = 'input, textarea, select, canvas, img, svg, video, iframe, object, embed'
const SECRET = 'data-conformance-secret'
/** A page of more elements is not drawn: each of them has to be looked at. */
const MOST_ELEMENTS = 5_000

interface Element {
  readonly textContent: string | null
  readonly parentElement: Element | null
  setAttribute(name: string, value: string): void
}

type Seen = readonly (readonly [text: string, parent: number])[]

/** The text of each element, with the place of its parent. */
const read = (page: Page): Promise<Seen> =>
  page
    .locator('body *')
    .evaluateAll((elements: readonly Element[]) =>
      elements.map((element) => [
        element.textContent ?? '',
        element.parentElement === null ? -1 : elements.indexOf(element.parentElement),
      ]),
    )

/** The innermost elements with a secret in them: one that is cut up by markup stands in none of its parts. */
const secretOnes = (seen: Seen, redactor: Redactor): readonly number[] => {
  const holding = seen.flatMap(([text], at) => (redactor.text(text) === text ? [] : [at]))
  const around = new Set(holding.map((at) => seen[at]?.[1]))
  return holding.filter((at) => !around.has(at))
}

/** A picture with every secret blacked out; undefined where the page changed while it was drawn. */
const pictureOf = async (page: Page, redactor: Redactor): Promise<Buffer | undefined> => {
  if ((await page.locator('body *').count()) > MOST_ELEMENTS) return undefined
  const seen = await read(page)
  await page.locator('body *').evaluateAll(
    (elements: readonly Element[], [mark, places]: readonly [string, readonly number[]]) => {
      for (const place of places) elements[place]?.setAttribute(mark, '')
    },
    [SECRET, secretOnes(seen, redactor)] as const,
  )
  const mask = [page.locator(`${OPAQUE}, [${SECRET}]`)]
  const picture = await page.screenshot({
    ...{ mask, maskColor: '#000000', animations: 'disabled', caret: 'hide', timeout: LOOK_MS },
  })
  return JSON.stringify(await read(page)) === JSON.stringify(seen) ? picture : undefined
}
