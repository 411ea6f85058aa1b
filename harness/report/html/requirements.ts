/** Requirements and statements as tables: those of the catalogue, and those of the annexes of the compliance report. */
import { html } from 'hono/html'
import { plainQuote } from '../run-observer.ts'
import { safe, table } from './frame.ts'

export interface ShownRequirement {
  readonly id: string
  /** MUST, SHOULD or MAY; undefined if the interface does not show it, so that it is not judged. */
  readonly level?: string
  readonly claim: string
  readonly quote: string
  readonly place: string
  readonly source: string
  readonly reading?: string | undefined
  /** The key of the profile with which its checks compare. */
  readonly fromProfile?: string | undefined
  /** Why it is not judged. */
  readonly because?: string | undefined
  /** Below its level. */
  readonly outcome?: unknown
  /** Its checks. */
  readonly checks: unknown
  /** May be parted at the end of a printed page. */
  readonly isLong?: boolean
}

const remark = (title: string, text: string | undefined) =>
  text === undefined ? '' : html`<p><strong>${title}:</strong> ${safe(text)}</p>`

const requirementRow = (one: ShownRequirement) =>
  html`<tr
    id="${one.id}"
    data-level="${one.level ?? 'not shown'}"
    class="${one.isLong === true ? 'long' : 'short'}"
  >
    <th scope="row">
      <a class="id" href="#${one.id}">${one.id}</a><br /><span
        class="level ${one.level?.toLowerCase() ?? 'not-shown'}"
        >${one.level ?? 'not shown'}</span
      >${one.outcome === undefined ? '' : html`<br />${one.outcome}`}
    </th>
    <td>
      ${safe(one.claim)}
      <p class="quiet">
        “${plainQuote(one.quote)}” ${one.source === 'interface' ? 'Interface' : one.source}, ${one.place}
      </p>
      ${remark('Interpretation', one.reading)} ${remark('Compared with the profile', one.fromProfile)}
      ${one.because === undefined ? '' : html`<p>${safe(one.because)}</p>`}
    </td>
    <td>${one.checks}</td>
  </tr>`

export const requirementsTable = (caption: string, last: string, rows: readonly ShownRequirement[]) =>
  table(
    {
      caption,
      head: [{ title: 'Requirement' }, { title: 'Claim and source' }, { title: last }],
      isWide: true,
    },
    rows.map(requirementRow),
  )

/** A statement of the interface, and what was made of it. */
interface ShownStatement {
  readonly line: number
  readonly text: string
  readonly judged: readonly { readonly row: { readonly id: string } }[]
  readonly unchecked: readonly { readonly id: string }[]
  readonly undisclosed: readonly { readonly id: string }[]
  /** Why it, or a part of it, is not judged. */
  readonly because: readonly string[]
  /** The parts that nothing judges and no reason explains. */
  readonly gaps: readonly string[]
}

const statementRow = (one: ShownStatement, items: unknown) =>
  html`<tr>
    <td class="number">${one.line}</td>
    <td>${plainQuote(one.text)}</td>
    <td>
      <ul>
        ${items}
        ${one.undisclosed.map(
          ({ id }) => html`<li><a class="id" href="#${id}">${id}</a> observed, not judged</li>`,
        )}
        ${one.because.map((reason) => html`<li>${safe(reason)}</li>`)}
        ${one.gaps.map((words) => html`<li><strong>gap</strong>: nothing judges “${words}”</li>`)}
      </ul>
    </td>
  </tr>`

/** @param itemsOf elements `li`: the requirements of a statement. */
export const statementsTable = (
  statements: readonly ShownStatement[],
  itemsOf: (ids: readonly string[]) => unknown,
) =>
  table(
    {
      caption: 'Statements of the interface',
      head: [{ title: 'Line', isNumber: true }, { title: 'Statement' }, { title: 'Requirements' }],
      isWide: true,
    },
    statements.map((one) => {
      const ids = [...one.judged.map(({ row }) => row.id), ...one.unchecked.map(({ id }) => id)]
      return statementRow(one, itemsOf([...new Set(ids)]))
    }),
  )
