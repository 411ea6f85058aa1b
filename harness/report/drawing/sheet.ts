import { escapeMarkup } from '../run-observer.ts'

/** What drawings with a time axis have in common: the sheet with its title and colors, text, and times. */

/** A page shows a sheet in its own size, so that its letters are 11 px high there. */
export const WIDTH = 900
export const MARGIN = 20

const STYLE = [
  'text{font-family:system-ui,sans-serif;font-size:12px;fill:var(--ink)}',
  '.head{font-size:16px;font-weight:600}',
  '.small{font-size:11px;fill:var(--soft)}',
  '.middle{text-anchor:middle}.end{text-anchor:end}.bad{fill:var(--bad)}',
].join('')

const LIGHT = '--paper:#fff;--ink:#1f2933;--soft:#616e7c;--rule:#dde3ea'
const DARK = '--paper:#14181d;--ink:#e8edf2;--soft:#a3afbb;--rule:#2c343d'

export const text = (x: number, y: number, content: string, style = ''): string =>
  `<text x="${x}" y="${y}"${style && ` class="${style}"`}>${escapeMarkup(content)}</text>`

/** `9:03` for nine minutes and three seconds. */
export const clockOf = (ms: number): string => {
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

interface Sheet {
  readonly height: number
  readonly title: string
  /** Below the title. */
  readonly summary: string
  /** Further colors, as the properties of a style. */
  readonly light: string
  readonly dark: string
}

export const renderSheet = (
  { height, title, summary, light, dark }: Sheet,
  content: readonly string[],
): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escapeMarkup(title)}</title><desc>${escapeMarkup(summary)}</desc><style>${STYLE}svg{${LIGHT};${light}}@media (prefers-color-scheme:dark){svg{${DARK};${dark}}}</style>`,
    '<rect width="100%" height="100%" fill="var(--paper)"/>',
    text(MARGIN, 28, title, 'head'),
    text(MARGIN, 48, summary, 'small'),
    ...content,
    '</svg>\n',
  ].join('\n')
