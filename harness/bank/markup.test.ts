import { expect, test } from 'vitest'

// Under another name, since the formatter changes templates that are called html.
import { html as write } from './markup.ts'

test('a line break becomes nothing between tags, and one space elsewhere', async () => {
  const inner = write`<b>x</b>`
  const markup = await write`<p>
    Sign in
    to ${'a & b'}
    now
    ${inner}
  </p>
  <input
    name="a"
    required />`
  expect(String(markup)).toBe('<p> Sign in to a &amp; b now <b>x</b> </p><input name="a" required />')
})

test('values on separate lines stay separate words', async () => {
  const markup = await write`${'one'}
    ${'two'}
    <b>three</b>`
  expect(String(markup)).toBe('one two <b>three</b>')
})

test('the white space of values is not changed', async () => {
  expect(String(await write`<pre>${'one\n   two'}</pre>`)).toBe('<pre>one\n   two</pre>')
})
