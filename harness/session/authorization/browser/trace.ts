import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '../../../evidence/make-folder.ts'
import type { Page } from 'playwright-core'
import type { Exchange } from '../../../evidence/exchange.ts'
import type { Redactor } from '../../../evidence/redaction.ts'

export type Trace = ReturnType<typeof createTrace>

interface TraceStep {
  readonly what: 'request' | 'not sent' | 'fills' | 'ticks' | 'unticks' | 'presses'
  readonly method?: string
  readonly url?: string
  readonly status?: number | undefined
  readonly selector?: string
}

/** The longest time for writing a trace, in ms. */
const LOOK_MS = 10_000

const folderOf = (id: string): string => id.replaceAll(/[^\w.-]+/g, '-')

/**
 * What the browser did in an authorization that did not reach an end: its steps, the last page, and a picture of
 * it. Secrets are removed from every part, which a trace of playwright would not do.
 * @param folder where traces are kept; undefined for none.
 */
export const createTrace = (folder: string | undefined, redactor: Redactor) => {
  const startedAt = performance.now()
  const steps: (TraceStep & { readonly atMs: number })[] = []

  const write = async (into: string, page: Page, end: Exchange | undefined): Promise<void> => {
    makeFolder(into)
    const html = await page.content()
    // The page first: it names further secrets, which are then known.
    writeFileSync(join(into, 'page.html.txt'), redactedPage(redactor, page.url(), html, end))
    const lines = steps.map((step) => `${redactor.text(JSON.stringify(step))}\n`)
    writeFileSync(join(into, 'steps.jsonl'), lines.join(''))
    const picture = await pictureOf(page, redactor)
    if (picture !== undefined) writeFileSync(join(into, 'page.png'), picture)
  }

  return {
    note: (step: TraceStep) => void steps.push({ atMs: Math.round(performance.now() - startedAt), ...step }),
    /** Writes the trace into a folder that is named after the last exchange. Never throws. */
    async keep(page: Page, end: Exchange | undefined) {
      if (folder === undefined) return
      // The page may be closed, or the disk full: the result of the authorization is not affected.
      const written = write(join(folder, folderOf(end?.id ?? 'no-request')), page, end).catch(() => undefined)
      await Promise.race([written, sleep(LOOK_MS, undefined, { ref: false })])
    },
  }
}

/** The page is redacted like an HTML answer in the evidence. */
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

/** Elements that may show a secret without text are blacked out. */
const OPAQUE = 'input, textarea, select, canvas, img, svg, video, iframe, object, embed'
const SECRET = 'data-conformance-secret'
/** No picture of a page with more elements: each must be searched for secrets. */
const MOST_ELEMENTS = 5_000

interface Element {
  readonly textContent: string | null
  readonly parentElement: Element | null
  setAttribute(name: string, value: string): void
}

type Seen = readonly (readonly [text: string, parent: number])[]

/** The text of each element, with the index of its parent. */
const read = (page: Page): Promise<Seen> =>
  page
    .locator('body *')
    .evaluateAll((elements: readonly Element[]) =>
      elements.map((element) => [
        element.textContent ?? '',
        element.parentElement === null ? -1 : elements.indexOf(element.parentElement),
      ]),
    )

/** The innermost elements with a secret: a secret that is split by markup is in none of the inner ones. */
const secretOnes = (seen: Seen, redactor: Redactor): readonly number[] => {
  const holding = seen.flatMap(([text], at) => (redactor.text(text) === text ? [] : [at]))
  const around = new Set(holding.map((at) => seen[at]?.[1]))
  return holding.filter((at) => !around.has(at))
}

/** A picture with every secret blacked out; undefined if the page changed meanwhile. */
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
    mask,
    maskColor: '#000000',
    animations: 'disabled',
    caret: 'hide',
    timeout: LOOK_MS,
  })
  return JSON.stringify(await read(page)) === JSON.stringify(seen) ? picture : undefined
}
