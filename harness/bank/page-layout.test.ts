import { expect, test } from 'vitest'

// By another name: a template of that one would be laid out anew with the test.
import { html as write } from './page-layout.ts'

test('of the lines of a template nothing is left between tags, and a space elsewhere', async () => {
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

test('values on lines of their own stay words of their own', async () => {
  const markup = await write`${'one'}
    ${'two'}
    <b>three</b>`
  expect(String(markup)).toBe('one two <b>three</b>')
})

test('what is put into a template is left as it is', async () => {
  expect(String(await write`<pre>${'one\n   two'}</pre>`)).toBe('<pre>one\n   two</pre>')
})
