import { onOneLine } from './printable.ts'

/** Text that stays text in SVG and in HTML, on one line. */
export const escapeMarkup = (text: string): string =>
  onOneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
