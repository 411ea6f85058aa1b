/** The reason codes of a rejected payment, in the order of the interface (Errors, 6). */
export const REASON_CODES = [
  'AC01',
  'AC04',
  'AG01',
  'AM03',
  'AM04',
  'AM05',
  'AM09',
  'AM10',
  'DT01',
  'MS03',
  'RC01',
  'RR03',
  'TM01',
] as const

export type ReasonCode = (typeof REASON_CODES)[number]
