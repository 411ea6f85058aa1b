import { html } from 'hono/html'
import { printable } from '../run-observer.ts'
import type { Outcome } from './coverage.ts'

/** Parts that several sections of the compliance report use. */

export type Fragment = ReturnType<typeof html>

/** Text of a target: characters that could mislead a reader are written as codes. */
export const safe = (text: string): string => printable(text)

export const classOf = (outcome: Outcome): string => outcome.replace(' ', '-')

export const badge = (outcome: Outcome) => html`<span class="badge ${classOf(outcome)}">${outcome}</span>`

export const requirementLink = (id: string) => html`<a class="id" href="#${id}">${id}</a>`

export const requirementLinks = (ids: readonly string[]) =>
  html`<span class="ids">${ids.map((id, at) => html`${at === 0 ? '' : ', '}${requirementLink(id)}`)}</span>`

/** A wide table scrolls in its own frame on a narrow screen, also with the keyboard. */
export const scrolling = (label: string, content: unknown) =>
  html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">${content}</div>`

export interface SectionOptions {
  readonly id: string
  readonly title: string
  /** Begins on a new page when it is printed. */
  readonly isNewPage?: boolean
}

export const section = ({ id, title, isNewPage = false }: SectionOptions, content: unknown) =>
  html`<section id="${id}" class="${isNewPage ? 'chapter' : 'part-of-page'}">
    <h2>${title}</h2>
    ${content}
  </section>`

export interface Column {
  readonly title: string
  readonly isNumber?: boolean
}

const columns = (all: readonly Column[]) =>
  html`<thead>
    <tr>
      ${all.map(({ title, isNumber }) => html`<th scope="col" class="${isNumber === true ? 'number' : 'text'}">${title}</th>`)}
    </tr>
  </thead>`

/** @param rows elements `tr`. */
export const table = (
  {
    caption,
    head,
    isWide = false,
  }: { readonly caption: string; readonly head: readonly Column[]; readonly isWide?: boolean },
  rows: unknown,
) =>
  scrolling(
    caption,
    html`<table class="${isWide ? 'wide' : 'fitting'}">
      <caption>
        ${caption}
      </caption>
      ${columns(head)}
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  )
