import { expect, test } from 'vitest'
import { sampleExchange } from '../../../testing/samples/exchange.ts'
import { basicHeader, formEncoded } from '../../../profile/applications.ts'
import { isUnknownClient } from '../../../profile/mismatch/requests.ts'
import { parsedProfile } from '../../../testing/samples/profile.ts'
import { withFormEncodedCredentials } from './form-encoded.ts'

const PAIR = { clientId: 'shop', clientSecret: 'a+b %c' }
const PLAIN = basicHeader(PAIR)
const ENCODED = basicHeader(formEncoded(PAIR))

/** A target that knows the client by these headers; @param sent those of three requests of the same application. */
const askThrice = async (known: readonly string[], headers = [PLAIN, PLAIN, PLAIN]) => {
  const sent: string[] = []
  const layer = withFormEncodedCredentials({
    pairs: [PAIR],
    isUnknownClient: (exchange) => isUnknownClient(exchange, parsedProfile()),
  })
  const answers = []
  for (const header of headers) {
    const request = {
      operation: 'createConsent',
      sender: 'scenario',
      method: 'POST',
      url: 'https://bank.example/consents',
      headers: [['Authorization', header]],
    } as const
    const answer = await layer(
      { request, effect: 'consent', isRepeatable: false, id: '' },
      async (sending) => {
        const [, own = ''] = sending.request.headers[0] ?? []
        sent.push(own)
        return sampleExchange({
          operation: 'createConsent',
          status: known.includes(own) ? 201 : 401,
          body: '{}',
        })
      },
    )
    answers.push(answer.response?.status)
  }
  return { sent, answers }
}

test('a client that is known only by form-encoded credentials is known by them from then on', async () => {
  expect(ENCODED).toBe(`Basic ${Buffer.from('shop:a%2Bb+%25c').toString('base64')}`)
  expect(await askThrice([ENCODED])).toEqual({
    sent: [PLAIN, PLAIN, ENCODED, ENCODED, ENCODED],
    answers: [201, 201, 201],
  })
})

test('the other spelling is tried once, and only where the right credentials are refused', async () => {
  expect(await askThrice([])).toEqual({
    sent: [PLAIN, PLAIN, ENCODED, PLAIN, PLAIN],
    answers: [401, 401, 401],
  })
  expect((await askThrice([PLAIN])).sent).toEqual([PLAIN, PLAIN, PLAIN])
  const wrong = basicHeader({ ...PAIR, clientSecret: 'wrong+' })
  expect((await askThrice([], [wrong])).sent).toEqual([wrong])
})
