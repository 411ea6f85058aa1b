/** Whether what was sent is a template of the profile, filled in as an ordinary request has it. */

type Members = Readonly<Record<string, unknown>>

/** What may stand for a placeholder; whatever is left out here takes any text or number. */
export type Ordinary = Readonly<Record<string, (value: unknown) => boolean>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isScalar = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'

const WHOLE = /^\{(\w+)\}$/

const isFilledText = (template: string, sent: unknown, ordinary: Ordinary): boolean => {
  const whole = WHOLE.exec(template)?.[1]
  if (whole !== undefined) return ordinary[whole]?.(sent) ?? isScalar(sent)
  // What a placeholder within a text stands for is not told apart from what is around it.
  return /\{\w+\}/.test(template) ? isScalar(sent) : sent === template
}

/** The same members, each with what the template has there, and nothing beside them. */
export const isFilled = (template: unknown, sent: unknown, ordinary: Ordinary = {}): boolean => {
  if (typeof template === 'string') return isFilledText(template, sent, ordinary)
  if (Array.isArray(template))
    return (
      Array.isArray(sent) &&
      sent.length === template.length &&
      template.every((item, at) => isFilled(item, sent[at], ordinary))
    )
  if (!isObject(template)) return sent === template
  const keys = Object.keys(template)
  return (
    isObject(sent) &&
    Object.keys(sent).length === keys.length &&
    keys.every((key) => Object.hasOwn(sent, key) && isFilled(template[key], sent[key], ordinary))
  )
}

const MOST_NAMES = 8

/** The names of its members, and never a value: one may be a secret. `order.totalAmount, order.orderNo` */
export const namesIn = (template: unknown): string => {
  const names = leaves(template, [])
  return names.slice(0, MOST_NAMES).join(', ') + (names.length > MOST_NAMES ? ' …' : '')
}

const leaves = (value: unknown, at: readonly string[]): readonly string[] =>
  isObject(value) || Array.isArray(value)
    ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...at, key]))
    : [at.join('.')]
