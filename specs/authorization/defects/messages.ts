/** Authorization requests, and the answers of a bank that is wrong about them. */
import { on, refusal, reply, when, type Incoming } from '../../shared/changes.ts'

export const RESULT_SCREEN = 'https://bank.example/result'

const HTML = { 'content-type': 'text/html' }

/** Of accounts and of payments. */
export const isAuthorization = on('GET', /\/authorize$/)

/** Refuses authorization requests with a page of the bank. */
export const refuseRequest = (where: (asked: Incoming) => boolean, status = 400) =>
  when(
    where,
    reply(isAuthorization, () => new Response('<!doctype html><title>No</title>', { status, headers: HTML })),
  )

/** Sends the error of a refused request to its redirect URI. */
export const redirectError = refusal(isAuthorization, (_, { query }) => ({
  status: 302,
  headers: { location: `${query.get('redirect_uri') ?? ''}?error=invalid_request` },
}))
