import { onOneLine } from '../../report/printable.ts'
import { paragraph } from '../../report/terminal/text.ts'
import { qrCode } from './qr-code.ts'
import type { Question } from '../../session/authorization/prompt-channel.ts'
import type { Colors } from '../../report/terminal/text.ts'

/** What a person reads who is asked to authorize. */

export interface Circumstances {
  /** Which of how many it is. */
  readonly at: number
  readonly of: number
  /** The scenario, and how many requirements are judged by it. */
  readonly purpose: string
  readonly until: Date
  /** Whether the redirect comes to this machine by itself. */
  readonly isHeard: boolean
  /** Whether something can be pasted. */
  readonly canPaste: boolean
}

export interface Style {
  readonly columns: number
  readonly colors: Colors
  /** Whether a picture can be shown. */
  readonly pictures: boolean
}

const LABEL = 8

const row = (label: string, text: string, { columns, colors }: Style): readonly string[] =>
  paragraph(`  ${colors.dim(label.padEnd(LABEL))}`, text, columns)

const timeOf = (time: Date): string => time.toTimeString().slice(0, 8)

const taskOf = ({ customer, decision }: Question, colors: Colors): string =>
  decision === 'grant'
    ? `Log in as ${onOneLine(customer)} and ${colors.bold('AGREE')}.`
    : `Log in as ${onOneLine(customer)} and ${colors.bold('REFUSE')} what the bank asks for.`

const endOf = ({ redirectUri, isShown }: Question, { isHeard, canPaste }: Circumstances): string => {
  if (isHeard && !canPaste) return 'The last page comes to this machine by itself.'
  if (isHeard)
    return 'The last page comes here by itself where the browser is on this machine; from a phone, paste its address.'
  return isShown
    ? 'At the end the bank shows a code: paste it here.'
    : `At the end the browser is sent to ${onOneLine(redirectUri)} (it may show an error): paste the whole address of that page here.`
}

/** The link stands on a line of its own, unbroken, so that it can be clicked on or copied. */
export const renderQuestion = (
  question: Question,
  circumstances: Circumstances,
  style: Style,
): readonly string[] => {
  const { at, of, purpose, until } = circumstances
  const { colors } = style
  const picture = style.pictures ? qrCode(question.link, style.columns, colors) : []
  return [
    '',
    colors.bold(`Authorization ${at} of ${Math.max(at, of)}: a person is needed until ${timeOf(until)}`),
    ...row('who', taskOf(question, colors), style),
    ...row('for', onOneLine(purpose), style),
    ...row('end', endOf(question, circumstances), style),
    ...row('link', 'open this in a browser in which nobody is logged in:', style),
    '',
    onOneLine(question.link),
    '',
    ...picture,
    ...(picture.length === 0 ? [] : ['']),
  ]
}
