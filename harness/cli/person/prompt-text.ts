import { encode, renderUnicodeCompact } from 'uqr'
import { onOneLine } from '../../report/run-observer.ts'
import { paragraph, type Colors } from '../../report/terminal/text.ts'
import type { Plan } from '../../plan/plan.ts'
import type { Question } from '../../session/authorization/thread-channel.ts'

/** QR readers need an empty border. */
const WIDEST_BORDER = 4

/**
 * The link as a QR code, two rows per line of text; empty if it is wider than the columns. It is light on dark: with
 * colours on any terminal, and without colours on a dark terminal.
 */
export const qrCode = (link: string, columns: number, colors: Colors): readonly string[] => {
  const { size } = encode(link, { ecc: 'L', border: 0 })
  const border = Math.min(WIDEST_BORDER, Math.floor((columns - size) / 2))
  if (border < 1) return []
  return renderUnicodeCompact(link, { ecc: 'L', border })
    .split('\n')
    .map((line) => colors.bgBlack(colors.whiteBright(line)))
}

export interface PromptContext {
  /** The number of this prompt, from 1, and the expected number of prompts. */
  readonly at: number
  readonly of: number
  readonly purpose: string
  readonly until: Date
  /** Whether the listener receives the redirect. */
  readonly isReceived: boolean
  readonly canPaste: boolean
}

export interface Style {
  readonly columns: number
  readonly colors: Colors
  readonly showsQrCode: boolean
}

const LABEL = 8

const row = (label: string, text: string, { columns, colors }: Style): readonly string[] =>
  paragraph(`  ${colors.dim(label.padEnd(LABEL))}`, text, columns)

const taskOf = ({ customer, decision }: Question, colors: Colors): string =>
  decision === 'grant'
    ? `Log in as ${onOneLine(customer)} and ${colors.bold('AGREE')}.`
    : `Log in as ${onOneLine(customer)} and ${colors.bold('REFUSE')} what the bank asks for.`

const endOf = ({ redirectUri, isShown }: Question, { isReceived, canPaste }: PromptContext): string => {
  if (isReceived && !canPaste) return 'The redirect reaches this machine automatically.'
  if (isReceived)
    return 'If the browser is on this machine, the redirect is received automatically; from a phone, paste the URL of the last page.'
  return isShown
    ? 'The last page of the bank shows a code: paste it here.'
    : `The browser is finally redirected to ${onOneLine(redirectUri)} (it may show an error): paste the whole URL of that page here.`
}

/** The link is on its own line without a break, so that it can be clicked or copied. */
export const renderQuestion = (
  question: Question,
  context: PromptContext,
  style: Style,
): readonly string[] => {
  const { at, of, purpose, until } = context
  const { colors } = style
  const qr = style.showsQrCode ? qrCode(question.link, style.columns, colors) : []
  return [
    '',
    colors.bold(
      `Authorization ${at} of ${Math.max(at, of)}: a person is needed until ${until.toTimeString().slice(0, 8)}`,
    ),
    ...row('who', taskOf(question, colors), style),
    ...row('for', onOneLine(purpose), style),
    ...row('end', endOf(question, context), style),
    ...row('link', 'open this in a private browser window:', style),
    '',
    onOneLine(question.link),
    '',
    ...qr,
    ...(qr.length === 0 ? [] : ['']),
  ]
}

/** The purpose of an authorization from the id of its exchange: `tokens/a-code-exchange@TPP/4`, or `…:grant/1`. */
export const purposeOf = ({ checks }: Plan, id: string): string => {
  const of = id.replace(/\/\d+$/, '')
  const isShared = of.endsWith(':grant')
  const scenario = of
    .replace(/:grant$/, '')
    .replace(/~\d+$/, '')
    .replace(/\.\d+$/, '')
  const served = checks.filter(
    (check) => check.heldBack === undefined && (isShared ? check.sharesGrant : check.scenario === scenario),
  )
  const count = new Set(served.map(({ requirement }) => requirement)).size
  const requirements = `${count} ${count === 1 ? 'requirement' : 'requirements'}`
  return isShared
    ? `a grant that scenarios share which only read (${requirements})`
    : `${scenario} (${requirements})`
}
