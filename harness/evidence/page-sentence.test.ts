import { expect, test } from 'vitest'
import { sentenceOfPage } from './page-sentence.ts'

test.each([
  [
    '<title>Sign in</title><h1>Sign in</h1><p role="alert">The password is wrong.</p><p>For you.</p>',
    'The password is wrong.',
  ],
  ['<h1>Login</h1><div class="form-error">Wrong\n  password</div>', 'Wrong password'],
  [
    '<header>Bank</header><h1>No answer</h1><p>The address is not registered.</p>',
    'The address is not registered.',
  ],
  ['<style>p {}</style><b>Nothing</b> here', 'Nothing here'],
  ['unknown client', 'unknown client'],
  ['', ''],
])('%s says %s', (page, sentence) => {
  expect(sentenceOfPage(page)).toBe(sentence)
})
