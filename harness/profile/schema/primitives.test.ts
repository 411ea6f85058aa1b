import { expect, test } from 'vitest'
import { selector } from './primitives.ts'

test.each(['#code', 'button[type=submit]', 'form > button', 'label:has(input)', 'input[type=radio i]'])(
  '%s is a selector',
  (text) => {
    expect(selector.safeParse(text).success).toBe(true)
  },
)

test.each(['button[', 'button::before', 'button:first', 'input:eq(1)'])(
  '"%s" is none that a browser knows, and is refused with an example',
  (text) => {
    expect(selector.safeParse(text).error?.issues.map(({ message }) => message)).toContain(
      'a CSS selector such as button[type=submit] or #code',
    )
  },
)
