/** Authorization requests, and the answers of a bank that is wrong about them. */
import { on, refusal, reply, type Incoming } from '../../shared/changes.ts'

export const RESULT_SCREEN = 'https://bank.example/result'

/** Of accounts and of payments. */
export const isAuthorization = on('GET', /\/authorize$/)

/** Refuses authorization requests with a page of the bank. */
export const refuseRequest = (status: number, where: (asked: Incoming) => boolean = () => true) =>
  reply(isAuthorization, (asked) =>
    where(asked)
      ? new Response('<!doctype html><title>No</title>', {
          status,
          headers: { 'content-type': 'text/html' },
        })
      : undefined,
  )

/** Sends the error of a refused request to its redirect URI. */
export const redirectError = refusal(isAuthorization, (_, { query }) => ({
  status: 302,
  headers: { location: `${query.get('redirect_uri') ?? ''}?error=invalid_request` },
}))
