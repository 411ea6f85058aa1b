import { encode, renderUnicodeCompact } from 'uqr'
import type { Colors } from '../../report/terminal/text.ts'

/** Readers want the code to have room around it. */
const WIDEST_BORDER = 4

/**
 * A link as a picture of so many columns at most, one line of text for two rows of it; nothing where it does not fit.
 * It is drawn light on dark: with colours whatever those of the terminal are, without them as most terminals are.
 */
export const qrCode = (link: string, columns: number, colors: Colors): readonly string[] => {
  const { size } = encode(link, { ecc: 'L', border: 0 })
  const border = Math.min(WIDEST_BORDER, Math.floor((columns - size) / 2))
  if (border < 1) return []
  return renderUnicodeCompact(link, { ecc: 'L', border })
    .split('\n')
    .map((line) => colors.bgBlack(colors.whiteBright(line)))
}
