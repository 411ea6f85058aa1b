/** Requirements and statements as tables: those of the catalogue, and those of the annexes of the compliance report. */
import { html } from 'hono/html'
import { plainQuote } from '../run-observer.ts'
import { requirementLink, safe, table, tableOf } from './frame.ts'
import type { TracedStatement } from '../catalogue/statements.ts'

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
  readonly because?: string | undefined
  /** Below its level. */
  readonly outcome?: unknown
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
      ${requirementLink(one.id)}<br /><span class="level ${one.level?.toLowerCase() ?? 'not-shown'}"
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
  tableOf(
    { caption, head: ['Requirement', 'Claim and source', last], kind: 'wide' },
    html`<tbody>
      ${rows.map(requirementRow)}
    </tbody>`,
  )

const statementItems = (one: TracedStatement, items: unknown) =>
  html`<ul>
    ${items} ${one.notShown.map(({ id }) => html`<li>${requirementLink(id)} observed, not judged</li>`)}
    ${one.because.map((reason) => html`<li>${safe(reason)}</li>`)}
    ${one.gaps.map((words) => html`<li><strong>gap</strong>: nothing judges “${words}”</li>`)}
  </ul>`

/** @param itemsOf elements `li`: the requirements of a statement. */
export const statementsTable = (
  statements: readonly TracedStatement[],
  itemsOf: (ids: readonly string[]) => unknown,
) =>
  table(
    {
      caption: 'Statements of the interface',
      head: [{ number: 'Line' }, 'Statement', 'Requirements'],
      kind: 'wide',
    },
    statements.map((one) => {
      const ids = [...one.judged.map(({ row }) => row.id), ...one.unchecked.map(({ id }) => id)]
      return [one.line, plainQuote(one.text), statementItems(one, itemsOf([...new Set(ids)]))]
    }),
  )
